import type { Config } from './config.ts';

/** The URL for people and bots; until `PUBLIC_URL` is set, it works only on the same machine. */
export function publicUrlOf({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  return publicUrl ?? `http://localhost:${port}`;
}
