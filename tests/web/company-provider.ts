import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import type { Page } from 'playwright-core';
import { listening } from '#testing/free-port.ts';

/** npm's `oidc-provider` on this machine; whoever signs in there as `ada` has the address `ada@company.example`. */
export async function startCompanyProvider() {
  const server = createServer();
  const issuer = `http://localhost:${await listening(server, 'localhost')}`;
  const client = { clientId: 'parley', clientSecret: 'a secret of the company' };
  return {
    issuer,
    client,
    /** Opens it for a client that is sent back to this address, and told of sign-outs at the other. */
    async serves({ callbackUrl, logoutUrl }: { callbackUrl: string; logoutUrl: string }): Promise<void> {
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
    async [Symbol.asyncDispose](): Promise<void> {
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
