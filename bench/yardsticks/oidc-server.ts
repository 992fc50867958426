import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/**
 * A store in memory. The development store of oidc-provider keeps only the last 1,000 entries and iterates over all tokens
 * of a grant at each rotation; this one is faster.
 */
class MemoryStore {
  static readonly #entries = new Map<string, Record<string, unknown>>();
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(id: string, payload: Record<string, unknown>): Promise<void> {
    MemoryStore.#entries.set(this.#model + id, payload);
  }

  async find(id: string): Promise<Record<string, unknown> | undefined> {
    return MemoryStore.#entries.get(this.#model + id);
  }

  async consume(id: string): Promise<void> {
    const payload = await this.find(id);
    if (payload) payload['consumed'] = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    MemoryStore.#entries.delete(this.#model + id);
  }

  async revokeByGrantId(): Promise<void> {
    throw new Error('a chain of rotations broke');
  }
}

/**
 * The yardstick for rotations: oidc-provider with a store in memory and refresh-token rotation. No `openid` scope, so
 * that no id_token is signed. A message with a number is answered with that many new refresh tokens.
 */
const [clientId, clientSecret] = process.argv.slice(2) as [string, string];
const SCOPE = 'offline_access profile';
const provider = new Provider('http://127.0.0.1', {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['https://app.example.com/callback'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  adapter: MemoryStore,
  rotateRefreshToken: true,
  ttl: { AccessToken: 3600, RefreshToken: 30 * 86_400, Grant: 30 * 86_400 },
  scopes: ['offline_access', 'profile'],
  findAccount: async (_ctx: unknown, accountId: string) => ({
    accountId,
    claims: async () => ({ sub: accountId }),
  }),
});

async function createRefreshToken(accountId: string): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save();
  const client = await provider.Client.find(clientId);
  return new provider.RefreshToken({
    accountId,
    client,
    grantId,
    scope: SCOPE,
    gty: 'authorization_code',
  }).save();
}

let accounts = 0;
process.on('message', async (count: number) => {
  const tokens = Array.from({ length: count }, () => createRefreshToken(`person${accounts++}`));
  process.send?.({ tokens: await Promise.all(tokens) });
});
const server = createServer(provider.callback());
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
