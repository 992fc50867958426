import type { Config } from './config.ts';

/** Where people and bots reach this server; until `PUBLIC_URL` is set only those on the same machine do. */
export function publicUrlOf({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  return publicUrl ?? `http://localhost:${port}`;
}
