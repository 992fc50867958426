import type { Chance } from '../../chance.ts';
import type { Answer, Request, Transport } from './transport.ts';

/** Between a client and the server: what a server with this defect would answer. */
type Defect = (request: Request, forward: Transport, isStruck: () => boolean) => Promise<Answer | undefined>;

const isSend = ({ method, path }: Request) => method === 'POST' && /messages/.test(path);
const isPage = ({ method, path }: Request) => method === 'GET' && /\/conversations\/\w+\/messages/.test(path);

/** Changes some answers to the requests of one kind. */
function altering(
  isMeant: (request: Request) => boolean,
  alter: (answer: Answer, request: Request) => void,
): Defect {
  return async (request, forward, isStruck) => {
    const answer = await forward(request);
    if (answer && isMeant(request) && isStruck()) alter(answer, request);
    return answer;
  };
}

const ON_REQUESTS = {
  'lost-write': async (request, forward, isStruck) =>
    isSend(request) && isStruck()
      ? { status: 201, body: { data: { msgId: 'msg_made_up' } } }
      : forward(request),
  'duplicated-message': async (request, forward, isStruck) => {
    const { 'idempotency-key': _, ...headers } = request.headers;
    if (isSend(request) && isStruck()) await forward({ ...request, headers });
    return forward(request);
  },
  'ghost-message': altering(isPage, ({ body }) =>
    body.data.messages?.splice(1, 0, { msgId: 'msg_made_up', content: 'a ghost' }),
  ),
  'swapped-order': altering(isPage, ({ body }) => {
    const [one, other, ...rest] = body.data.messages ?? [];
    if (other) body.data.messages = [other, one, ...rest];
  }),
  'stale-read': repeatingEarlier(isPage),
  'marker-back': repeatingEarlier(
    ({ method, path }) => method === 'GET' && /\/conversations\/\w+$/.test(path),
  ),
  'feed-back': async (request, forward, isStruck) =>
    request.path.endsWith('?after=acknowledged') && isStruck()
      ? forward({ ...request, path: request.path.replace('acknowledged', '0') })
      : forward(request),
  'double-vote': async (request, forward, isStruck) => {
    if (request.path.endsWith('/polls/vote') && isStruck()) await forward(request);
    return forward(request);
  },
  'two-winners': altering(
    ({ path }) => path === '/oauth/token',
    (answer) => {
      if (answer.status === 401)
        Object.assign(answer, {
          status: 200,
          body: { access_token: 'xat_made_up', refresh_token: 'xrt_made_up' },
        });
    },
  ),
  'token-after-end': altering(
    ({ path }) => path === '/v1/me',
    (answer) => {
      if (answer.status === 401) answer.status = 200;
    },
  ),
} satisfies Record<string, Defect>;

/** Answers like an earlier time. */
function repeatingEarlier(isMeant: (request: Request) => boolean): Defect {
  const earlier = new Map<string, Answer>();
  return async (request, forward, isStruck) => {
    const key = `${request.path} ${request.headers['cookie']}`;
    const kept = earlier.get(key);
    if (isMeant(request) && kept && isStruck()) return kept;
    const answer = await forward(request);
    if (answer && isMeant(request)) earlier.set(key, structuredClone(answer));
    return answer;
  };
}

/** Between the server and a receiver: how often an event arrives. */
const ON_EVENTS = { 'lost-event': 0, 'repeated-event': 2 };

type OnRequests = keyof typeof ON_REQUESTS;
type OnEvents = keyof typeof ON_EVENTS;

export const DEFECTS = [...Object.keys(ON_REQUESTS), ...Object.keys(ON_EVENTS)];

const STRIKES = 0.1;

/** A transport with a defect, and how often each event arrives. */
export function withDefect(
  name: string | undefined,
  { fraction }: Chance,
  forward: Transport,
): { transport: Transport; timesHeard: () => number } {
  if (name !== undefined && !DEFECTS.includes(name))
    throw new Error(`no such defect: ${name}; there are ${DEFECTS.join(', ')}`);
  const isStruck = () => fraction() < STRIKES;
  const defect = ON_REQUESTS[name as OnRequests] as Defect | undefined;
  return {
    transport: defect ? (request) => defect(request, forward, isStruck) : forward,
    timesHeard: () =>
      name !== undefined && name in ON_EVENTS && isStruck() ? ON_EVENTS[name as OnEvents] : 1,
  };
}
