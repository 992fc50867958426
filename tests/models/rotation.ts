import type { Model } from './checker.ts';

/** Conditions on which rotation relies. */
export const ROTATION_GUARDS = [
  'the code is not consumed',
  'the token is still the newest',
  'the family has not ended',
  'a reuse is answered after the family has ended',
  'an access token of an ended family is refused',
] as const;
type Guard = (typeof ROTATION_GUARDS)[number];

/** The code is token 0; the refresh and access tokens of the nth pair are token n. */
type Token = number;

/** A request, whoever sent it, at the statement that comes next. */
interface Call {
  kind: 'refresh' | 'exchange' | 'revoke' | 'access';
  token: Token;
  next: 'first' | 'explain' | 'end' | 'answer';
  /** Of the answer. */
  result?: 'won' | 'refused';
  /** What had been answered when it began. */
  beganAfterEnd: boolean;
  beganAfterRotation: boolean;
}

/** A family of tokens, the requests that are under way, and what has been answered. */
interface Family {
  /** The row of `grants`. */
  newest: Token;
  hasEnded: boolean;
  calls: Call[];
  /** Requests that may still begin. */
  left: number;
  /** The tokens that client and thief can present: those that an answer has given them. */
  known: Token[];
  /** By token: how many pairs it was exchanged for. */
  wins: number[];
  /** An answer has said that the family has ended. */
  isEndAnswered: boolean;
  /** The newest pair that an answer has given. */
  answered: Token;
  /** An access token was accepted by a request that began after an answer which forbids it. */
  isWronglyAccepted: boolean;
}

/**
 * Refresh rotation, of one family. Every token that was ever answered may be presented again at any moment, by the client or a
 * thief; answers get lost; and a process may die between any two statements, which forgets the request.
 *
 * @param requests how many there are at most
 * @param without a condition that is left out
 */
export function rotation(requests: number, without?: Guard): Model<Family> {
  const has = (guard: Guard) => guard !== without;

  /** For each request at that statement, what follows. */
  const steps =
    (kinds: Call['kind'][], next: Call['next'], step: (family: Family, call: Call) => Family[]) =>
    (family: Family): Family[] =>
      family.calls.flatMap((call, i) => {
        if (call.next !== next || !kinds.includes(call.kind)) return [];
        const rest = { ...family, calls: family.calls.toSpliced(i, 1) };
        return step(rest, call).map(inOrder);
      });
  const goOn = (family: Family, call: Call, changes: Partial<Call>): Family => ({
    ...family,
    calls: [...family.calls, { ...call, ...changes }],
  });
  const win = (family: Family, call: Call): Family => {
    const wins = family.wins.with(call.token, (family.wins[call.token] ?? 0) + 1);
    const newest = family.newest + 1;
    return goOn({ ...family, newest, wins: [...wins, 0] }, call, {
      next: 'answer',
      result: 'won',
      token: newest,
    });
  };

  return {
    initial: {
      newest: 0,
      hasEnded: false,
      calls: [],
      left: requests,
      known: [0],
      wins: [0],
      isEndAnswered: false,
      answered: 0,
      isWronglyAccepted: false,
    },
    actions: {
      'a client or a thief presents a token': (family) => {
        if (family.left === 0) return [];
        return family.known.flatMap((token) => {
          const kinds: Call['kind'][] = token === 0 ? ['exchange'] : ['refresh', 'revoke', 'access'];
          return kinds.map((kind) => {
            const beganAfterRotation = family.answered > token;
            const began = { beganAfterEnd: family.isEndAnswered, beganAfterRotation };
            return inOrder(
              goOn({ ...family, left: family.left - 1 }, { kind, token, next: 'first', ...began }, {}),
            );
          });
        });
      },
      'consumeCode (oauth/queries.ts)': steps(['exchange'], 'first', (family, call) => {
        const isFirst = family.wins[0] === 0 || !has('the code is not consumed');
        return [isFirst && !family.hasEnded ? win(family, call) : goOn(family, call, { next: 'explain' })];
      }),
      'rotate (oauth/queries.ts)': steps(['refresh'], 'first', (family, call) => {
        const isNewest = call.token === family.newest || !has('the token is still the newest');
        const isLive = !family.hasEnded || !has('the family has not ended');
        return [isNewest && isLive ? win(family, call) : goOn(family, call, { next: 'explain' })];
      }),
      'explain reads the grant (oauth/tokens.ts, exchange-code)': steps(
        ['refresh', 'exchange'],
        'explain',
        (family, call) => {
          const ends = !family.hasEnded && has('a reuse is answered after the family has ended');
          return [goOn(family, call, ends ? { next: 'end' } : { next: 'answer', result: 'refused' })];
        },
      ),
      'revoke finds the grant': steps(['revoke'], 'first', (family, call) => [
        goOn(family, call, { next: 'end' }),
      ]),
      'endGrants (oauth/queries.ts)': steps(['refresh', 'exchange', 'revoke'], 'end', (family, call) => [
        goOn({ ...family, hasEnded: true }, call, { next: 'answer', result: 'refused' }),
      ]),
      'findAccess (oauth/queries.ts)': steps(['access'], 'first', (family, { token, ...call }) => {
        const isLive = !family.hasEnded || !has('an access token of an ended family is refused');
        const isAccepted = token === family.newest && isLive;
        const isWrong = isAccepted && (call.beganAfterEnd || call.beganAfterRotation);
        return [{ ...family, isWronglyAccepted: family.isWronglyAccepted || isWrong }];
      }),
      'the answer arrives, or is lost': steps(
        ['refresh', 'exchange', 'revoke'],
        'answer',
        (family, { token, result }) => {
          if (result === 'refused') return [{ ...family, isEndAnswered: true }, family];
          const answered = Math.max(family.answered, token);
          return [{ ...family, known: [...family.known, token].sort(), answered }, family];
        },
      ),
      'the process dies': (family) =>
        family.calls.map((_, i) => ({ ...family, calls: family.calls.toSpliced(i, 1) })),
    },
    invariants: {
      'a token is exchanged once': ({ wins }) => wins.every((count) => count <= 1),
      'an answer that the family has ended is true': ({ isEndAnswered, hasEnded }) =>
        !isEndAnswered || hasEnded,
      'nothing is accepted after an answer that forbids it': ({ isWronglyAccepted }) => !isWronglyAccepted,
      'a request that begins after the end wins nothing': ({ calls }) =>
        calls.every(({ result, beganAfterEnd }) => result !== 'won' || !beganAfterEnd),
    },
    reachable: { 'every request ends': ({ calls }) => calls.length === 0 },
  };
}

/** Requests that are alike may be exchanged. */
function inOrder(family: Family): Family {
  const calls = family.calls.map((call) => ({
    kind: call.kind,
    token: call.token,
    next: call.next,
    ...(call.result && { result: call.result }),
    beganAfterEnd: call.beganAfterEnd,
    beganAfterRotation: call.beganAfterRotation,
  }));
  return {
    ...family,
    calls: calls.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  };
}
