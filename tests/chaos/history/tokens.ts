import { type Answered, all, answered, type History } from './operations.ts';

/**
 * One presented code or refresh token makes one pair. Nothing of a family is accepted after its end was acknowledged, by a revocation
 * or by a refusal; no access token after its pair was rotated. And nothing is refused before any of that was asked for.
 */
export function checkTokens({ operations }: Pick<History, 'operations'>): string[] {
  const exchanges = answered(operations, 'exchange');
  const granted = exchanges.filter(isGranted);
  const faults = Object.entries(Object.groupBy(granted, ({ presented }) => presented))
    .filter(([, winners = []]) => winners.length > 1)
    .map(([presented, winners = []]) => `${winners.length} exchanges of ${presented} won`);

  /** When the end of a family was acknowledged, and when it may have begun. */
  const endOf = (family: string) => {
    const refused = exchanges.filter((one) => one.family === family && !isGranted(one));
    const revoked = all(operations, 'revoke').filter((one) => one.family === family);
    return {
      surely: Math.min(
        ...[...refused, ...revoked].map(({ completed = Number.POSITIVE_INFINITY }) => completed),
      ),
      // A second exchange of one token may end the family, whichever is answered first.
      perhaps: Math.min(...[...revoked, ...again(operations, family)].map(({ invoked }) => invoked)),
    };
  };
  const ends = new Map(all(operations, 'exchange').map(({ family }) => [family, endOf(family)]));
  for (const { family, presented, invoked } of granted)
    if (invoked > (ends.get(family)?.surely ?? Number.POSITIVE_INFINITY))
      faults.push(`${family} has ended, and ${presented} made a new pair`);
  for (const exchange of exchanges)
    if (!isGranted(exchange) && exchange.completed < (ends.get(exchange.family)?.perhaps ?? 0))
      faults.push(`${exchange.presented} was refused, and ${exchange.family} had not ended`);
  for (const use of answered(operations, 'use')) {
    const { surely, perhaps } = ends.get(use.family) ?? { surely: 0, perhaps: 0 };
    const pair = granted.find(({ access }) => access === use.access);
    const rotations = all(operations, 'exchange').filter(({ presented }) => presented === pair?.refresh);
    const rotated = Math.min(
      ...rotations.filter(isGranted).map(({ completed }) => completed ?? Number.POSITIVE_INFINITY),
    );
    if (use.isAccepted && use.invoked > Math.min(surely, rotated))
      faults.push(
        `${use.access} was accepted after ${rotated < surely ? 'its rotation' : `the end of ${use.family}`}`,
      );
    const reason = Math.min(perhaps, ...rotations.map(({ invoked }) => invoked));
    if (!use.isAccepted && use.completed < reason) faults.push(`${use.access} was refused without a reason`);
  }
  return faults;
}

function isGranted({ access }: { access?: string }): boolean {
  return access !== undefined;
}

/** Exchanges of what was presented before. */
function again(operations: History['operations'], family: string): Answered<'exchange'>[] {
  const presented = new Set<string>();
  return all(operations, 'exchange').filter((one): one is Answered<'exchange'> => {
    if (one.family !== family) return false;
    const isAgain = presented.has(one.presented);
    presented.add(one.presented);
    return isAgain;
  });
}
