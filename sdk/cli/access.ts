import { Bot } from '../bot.ts';
import { Service, type ServiceRequest } from '../service.ts';
import type { Terminal } from './command.ts';
import { readConfig } from './config-file.ts';
import { type Typed, UsageError } from './kit.ts';

/** The address of the public API, and the credential of a command. */
export interface Access {
  /** Without a trailing slash. */
  server: string;
  key: string;
  /** The webhook secret, if provided. */
  secret: string | undefined;
  /** A client without retries: the person at the terminal retries. */
  bot: Bot;
}

/** From options, then the environment, then the config file. @throws UsageError */
export async function findAccess(
  { environment }: Pick<Terminal, 'environment'>,
  { options }: Pick<Typed, 'options'>,
): Promise<Access> {
  const config = await readConfig(environment);
  const key = options['key'] ?? environment['PARLEY_API_KEY'] ?? config.key ?? '';
  if (!key)
    throw new UsageError(
      'an API key is needed: run "parley login", or set --key xk_live_… or PARLEY_API_KEY',
    );
  requireApiKey(key);
  const server = serverOf(options['server'] ?? environment['PARLEY_URL'] ?? config.server);
  const secret = options['secret'] ?? environment['PARLEY_WEBHOOK_SECRET'] ?? config.secret;
  if (secret) requireWebhookSecret(secret);
  return {
    server,
    key,
    secret: secret || undefined,
    bot: new Bot({ baseUrl: server, apiKey: key, retries: 0 }),
  };
}

/** @throws UsageError */
export function requireApiKey(key: string): void {
  if (!/^xk_live_[0-9a-f]{64}$/.test(key))
    throw new UsageError('an API key consists of xk_live_ and 64 hex digits');
}

/** @throws UsageError */
export function requireWebhookSecret(secret: string): void {
  if (!secret.startsWith('whsec_'))
    throw new UsageError('a webhook secret begins with whsec_; the console shows it when it is made');
}

/** @throws UsageError */
export function serverOf(address = 'http://localhost:3000'): string {
  if (!isHttp(address)) throw new UsageError(`the server must be an http or https address, not "${address}"`);
  return address.replace(/\/+$/, '');
}

export function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** Calls the service once, as the bot. @throws ParleyError */
export function callApi(
  { server, key }: Pick<Access, 'server' | 'key'>,
  request: Pick<ServiceRequest, 'method' | 'path' | 'body' | 'signal'>,
): Promise<unknown> {
  const service = new Service({ baseUrl: server, retries: 0 });
  return service.call({ ...request, headers: { authorization: `Bearer ${key}` } });
}
