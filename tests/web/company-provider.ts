import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { Page } from 'playwright-core';

/** npm's `oidc-provider` on this machine; whoever signs in there as `ada` has the address `ada@company.example`. */
export interface CompanyProvider extends AsyncDisposable {
  issuer: string;
  client: { clientId: string; clientSecret: string };
  /** Opens it for a client that is sent back to this address, and told of sign-outs at the other. */
  serves(addresses: { callbackUrl: string; logoutUrl: string }): Promise<void>;
}

export async function startCompanyProvider(): Promise<CompanyProvider> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'parley', clientSecret: 'a secret of the company' };
  return {
    issuer,
    client,
    async serves({ callbackUrl, logoutUrl }) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: client.clientId,
            client_secret: client.clientSecret,
            redirect_uris: [callbackUrl],
            token_endpoint_auth_method: 'client_secret_post',
            backchannel_logout_uri: logoutUrl,
            backchannel_logout_session_required: true,
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        features: { backchannelLogout: { enabled: true } },
        // Its own refuses addresses of this machine.
        fetch: (url: URL, { dispatcher: _, ...options }: Record<string, unknown>) => fetch(url, options),
        cookies: { keys: ['of the company'] },
        findAccount: (_context: unknown, accountId: string) => ({
          accountId,
          claims: async () => ({
            ...{ sub: accountId, name: `${accountId} of Company` },
            ...{ email: `${accountId}@company.example`, email_verified: true },
          }),
        }),
      });
      server.on('request', provider.callback());
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Signs in on the provider's own pages, and consents. */
export async function signInAtCompany(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('x');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
