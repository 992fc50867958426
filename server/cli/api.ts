import { parseApiKey } from '#features/applications/index.ts';
import { UsageError } from './command.ts';

/** Where the public API is, and whom a command acts as there. */
export interface ApiAccess {
  /** Without a final slash. */
  server: string;
  key: string;
}

export function apiAccess(
  environment: Record<string, string | undefined>,
  options: Record<string, string>,
): ApiAccess {
  const key = options['key'] ?? environment['PARLEY_API_KEY'] ?? '';
  if (!parseApiKey(key)) throw new UsageError('an API key is needed: --key xk_live_… or PARLEY_API_KEY');
  const server = options['server'] ?? environment['PARLEY_URL'] ?? 'http://localhost:3000';
  if (!/^https?:$/.test(URL.parse(server)?.protocol ?? '')) {
    throw new UsageError('--server or PARLEY_URL must be an http or https address');
  }
  return { server: server.replace(/\/+$/, ''), key };
}
