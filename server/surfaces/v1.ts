import type { FastifyReply, FastifyRequest } from 'fastify';
import { V1 } from '#contract/api/v1.ts';
import type { EndpointFor } from '#contract/endpoints.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { type Actor, type Applications, QUOTA_HEADERS, REALM } from '#features/applications/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import { isUnavailable } from '#platform/database.ts';
import { type App, takeLargeBodies } from '#platform/http/app.ts';
import { OpenStreams } from '#platform/http/connections/open-streams.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { readError, sendError } from '#platform/http/error-handler.ts';
import { isStream } from '#platform/http/request-metrics.ts';
import { mount, type Served, type Surface } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { type Admission, type Call, createAdmission } from './admission.ts';
import { recorded } from './recorded.ts';

/** The public API: credential, application state, scope, quota, bot; all checked before the body is read. */
export async function v1(
  app: App,
  platform: Platform & {
    accounts: Accounts;
    applications: Applications;
    oauth: OAuth;
    routes: readonly Served[];
  },
): Promise<void> {
  const { applications, clock } = platform;
  const calls = new RequestSlot<Call>();
  const admission = createAdmission(platform, calls);
  const { ledger } = platform.oauth;

  app.setErrorHandler(async (error, request, reply) => {
    // A revoked key takes precedence over any other error, unless its lookup would wait for what could not answer in time.
    const shown = isUnavailable(error)
      ? error
      : await admission.confirm(request).then(
          () => error,
          (refusal) => refusal,
        );
    const call = calls.find(request);
    if (!call?.quota) for (const header of QUOTA_HEADERS) reply.removeHeader(header);
    const known = readError(shown, request);
    if (call) call.failure = known;
    // RFC 6750: every 401 and 403 of a bearer endpoint carries a challenge.
    if (known.status === 403) reply.header('www-authenticate', REALM);
    return sendError(reply, known);
  });
  app.addHook('onRoute', (route) => {
    const endpoint = `${route.method} ${route.url}`;
    if (!route.config?.access) throw new Error(`${endpoint} does not say who may call it`);
    route.config = { ...route.config, endpoint };
  });
  takeLargeBodies(app);
  app.addHook('onRequest', (request, reply) => admission.enter(request, reply));

  app.addHook('onResponse', (request, reply, done) => {
    const call = calls.find(request);
    if (call) {
      // Only admitted requests: a refused one did nothing for the person, and no quota limits those.
      if (call.actor?.kind === 'user') ledger.note(toLedger(call.actor, request, reply, clock.now()));
      noteRequest(applications, call, request, reply);
    }
    done();
  });

  mount(app, platform, surfaceOf(admission, calls), V1, platform.routes);
}

/** Requests of an application at one process that take further bodies. */
const MOST_GOING_ON = 200;

function surfaceOf(admission: Admission, calls: RequestSlot<Call>): Surface<'actor'> {
  const goingOn = new OpenStreams('http.too-many-bodies', MOST_GOING_ON);
  return {
    describe: ({ access, operationId, summary, description, tags }) => ({
      config: { access },
      schema: { operationId, summary, ...(description !== undefined && { description }), tags },
    }),
    run: (request, _reply, handle) =>
      admission.actAs(request, (actor) =>
        handle({ actor, toAdmissionCheck: (endpoint) => admission.toCheck(request, endpoint) }),
      ),
    goOn: (request) => ({
      admit: () => admission.readmit(request),
      [Symbol.dispose]: goingOn.take(calls.get(request).actor?.appId ?? ''),
    }),
    clientOf: ({ actor: { accountId, appId } }) => ({ accountId, clientId: appId }),
  };
}

function toLedger(
  { accountId, appId }: Actor,
  { id, method, url }: FastifyRequest,
  { statusCode }: FastifyReply,
  calledAt: number,
) {
  return {
    accountId,
    appId,
    requestId: id,
    method,
    path: url.split('?', 1)[0] as string,
    status: statusCode,
    calledAt,
  };
}

/** The part of a schema that names fields. */
interface Shape {
  properties?: object;
  oneOf?: readonly Shape[];
}

/** The fields that the body of each endpoint may have. */
const FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries<EndpointFor['actor']>(V1.endpoints).map(([endpoint, { body }]) => [
    endpoint,
    new Set(fieldsOf(body)),
  ]),
);

function fieldsOf({ properties = {}, oneOf = [] }: Shape = {}): string[] {
  return [...Object.keys(properties), ...oneOf.flatMap(fieldsOf)];
}

const NOTED_FIELDS = 5;
const NOTED_FIELD_LENGTH = 64;

/** Fields that the endpoint does not know, such as misspelled ones: they are ignored, so their sender should hear of them. */
function unknownFields(endpoint: string, body: unknown): string[] | undefined {
  const known = FIELDS.get(endpoint);
  if (!known?.size || typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  let unknown: string[] | undefined;
  for (const name in body) {
    if (known.has(name)) continue;
    unknown ??= [];
    unknown.push(
      name
        .slice(0, NOTED_FIELD_LENGTH)
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, '\uFFFD'),
    );
    if (unknown.length === NOTED_FIELDS) break;
  }
  return unknown;
}

/** Records the request for the application's console, at the cost of a few operations in memory. */
function noteRequest(
  { recorder }: Applications,
  { credential, quota, failure: error }: Call,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (!credential) return;
  const { appId, kind: caller, fingerprint } = credential;
  const { method, route, body } = request;
  recorder.note({
    ...recorded(request, reply),
    appId,
    caller,
    fingerprint,
    isStream: isStream(request, reply),
    unknownFields: unknownFields(`${method} ${route.url}`, body),
    error,
    quota,
  });
}
