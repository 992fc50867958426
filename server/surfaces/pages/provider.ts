import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { id } from '#contract/ids.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { CONNECTING_PATH, type SignInProviders } from '#features/sign-in-providers/index.ts';
import { ApiError } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { readError } from '#platform/http/error-handler.ts';
import { acceptForms, parseStrictQuery } from '#platform/http/parsing/form.ts';
import type { Platform } from '#platform/platform.ts';
import { browserOf } from '../people/person.ts';
import { providerFaultPage } from './error-page.ts';
import { textsFor } from './language.ts';
import { openPages } from './open-pages.ts';
import { sendOn, sendPage } from './send-page.ts';

const OfProvider = Type.Object({ providerId: id() });
/** The longest logout token. */
const LogoutForm = Type.Object({ logout_token: Type.String({ maxLength: 12_000 }) });

type Deps = Platform & { accounts: Accounts; signInProviders: SignInProviders };

/** Where providers send people back, and where they say that somebody has signed out. */
export async function providerPages(app: App, deps: Deps): Promise<void> {
  const { accounts, signInProviders, config } = deps;

  await app.register(async (scope: App) => {
    openPages(scope, deps);
    const orFault = async (request: FastifyRequest, reply: FastifyReply, path: () => Promise<string>) => {
      try {
        return sendOn(reply, await path());
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        reply.headers(error.headers);
        return sendPage(reply, config, {
          status: error.status,
          ...providerFaultPage(textsFor(request), error.said),
        });
      }
    };
    const schema = { hide: true };

    scope.get(
      '/sign-in/providers/:providerId/callback',
      { schema: { ...schema, params: OfProvider } },
      (request, reply) =>
        orFault(request, reply, async () => {
          parseStrictQuery(request.url);
          const person = await accounts.findPerson(request.headers.cookie);
          const browser = browserOf(request, reply, accounts);
          return signInProviders.arrive(browser, request.params.providerId, { url: request.url, person });
        }),
    );

    scope.get(CONNECTING_PATH, { schema }, (request, reply) =>
      orFault(request, reply, async () => {
        const person = await accounts.findPerson(request.headers.cookie);
        return signInProviders.finishConnecting(browserOf(request, reply, accounts), person);
      }),
    );
  });

  await app.register(async (scope: App) => {
    acceptForms(scope);
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'cache-control': 'no-store' });
    });
    scope.setErrorHandler((error, request, reply) => {
      const { status, message, headers } = readError(error, request);
      reply.code(status).headers(headers).send({ error: 'invalid_request', error_description: message });
    });
    scope.post(
      '/sign-in/providers/:providerId/logout',
      { config: { duringMaintenance: true }, schema: { hide: true, params: OfProvider, body: LogoutForm } },
      async (request, reply) => {
        await signInProviders.takeLogout(request.params.providerId, request.body.logout_token);
        return reply.send();
      },
    );
  });
}
