import { Type } from 'typebox';
import { LIMITS } from '#contract/limits.ts';
import { say } from '#contract/reasons.ts';
import type { Applications, QuotaLeft } from '#features/applications/index.ts';
import { type Addressed, type IncomingWebhooks, readPosted } from '#features/incoming-webhooks/index.ts';
import type { ApiError } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { clientAddress, networkOf } from '#platform/http/client-address.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { answerNotFound, readError } from '#platform/http/error-handler.ts';
import { findUrlFault } from '#platform/http/parsing/form.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import { recorded } from './recorded.ts';

type Deps = Platform & { applications: Applications; incomingWebhooks: IncomingWebhooks };

const ENDPOINT = 'POST /hooks/:secret';
/** Limit for unknown addresses per network, generous because a tool with an old address keeps trying for a while. */
const MISSES_PER_MINUTE = 120;

interface Call extends Addressed {
  quota: QuotaLeft | undefined;
  failure: ApiError | undefined;
}

/**
 * Incoming webhooks: `POST /hooks/<secret>`, with Slack's responses. An unknown address gets the same response as any
 * unknown path; all checks run before the body is read.
 */
export async function hooks(app: App, deps: Deps): Promise<void> {
  const { applications, incomingWebhooks } = deps;
  const calls = new RequestSlot<Call>();
  const misses = new RateLimit(deps, {
    name: 'unknown-hooks',
    limit: MISSES_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('incoming-webhook.too-many-unknown'),
  });

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(/^/, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      const known = readError(error, request);
      const call = calls.find(request);
      if (call) call.failure = known;
      return reply
        .code(known.status)
        .headers(known.headers)
        .type('text/plain; charset=utf-8')
        .send(`${slackCodeOf(known)}: ${known.message}\n`);
    });

    scope.addHook('onRequest', async (request, reply) => {
      const fault = findUrlFault(request.url);
      if (fault) throw fault;
      const { secret } = request.params as { secret: string };
      const found = await misses.aroundMisses(networkOf(clientAddress(request)), () =>
        incomingWebhooks.find(secret),
      );
      if (!found) {
        answerNotFound(request, reply);
        return reply;
      }
      const call: Call = { ...found, quota: undefined, failure: undefined };
      calls.set(request, call);
      incomingWebhooks.admit(found);
      const { left, headers, exceeded } = await applications.quota.count(
        { ...found.client, kind: 'bot' },
        ENDPOINT,
      );
      reply.headers(headers);
      call.quota = left;
      if (exceeded) throw exceeded;
    });

    scope.addHook('onResponse', (request, reply, done) => {
      const call = calls.find(request);
      if (call) {
        const { client, quota, failure: error } = call;
        const { appId } = client;
        applications.recorder.note({ ...recorded(request, reply), appId, caller: 'bot', error, quota });
      }
      done();
    });

    scope.post(
      '/hooks/:secret',
      {
        bodyLimit: LIMITS.incomingWebhookBytes,
        schema: { hide: true, params: Type.Object({ secret: Type.String({ pattern: '^[\\x21-\\x7e]+$' }) }) },
      },
      async (request, reply) => {
        const event = request.headers['x-github-event'];
        await incomingWebhooks.post(calls.get(request), {
          posted: readPosted(request.headers, request.body),
          gitHubEvent: typeof event === 'string' ? event : undefined,
        });
        return reply.type('text/plain; charset=utf-8').send('ok');
      },
    );
  });
}

/** The error codes that Slack's clients look for; tools that retry go by the status (429 or 5xx). */
function slackCodeOf({ status, said }: ApiError): string {
  if (said.reason === 'incoming-webhook.no-text') return 'no_text';
  if (status === 404) return 'channel_not_found';
  if (status === 403) return 'action_prohibited';
  if (status === 429) return 'rate_limited';
  return status < 500 ? 'invalid_payload' : 'rollup_error';
}
