import { all, answered, type History, type Vote } from './operations.ts';

/** No choice of a single one. */
const NONE = '';

/** A vote, or a sight of its voter's choice. */
interface Step {
  invoked: number;
  /** Infinite: it was not answered, and may never have taken place. */
  completed: number;
  /** Of a vote. */
  option?: string;
  /** Of a sight. */
  chosen?: string;
  /** The vote whose answer it is: that shows the choice after it, and perhaps after others that came at the same time. */
  after?: Step;
}

/**
 * The choices of a voter, whose votes for the same option take turns on and off, are those of one order of all votes and sights that
 * agrees with the order of calls (Wing and Gong 1993); unanswered votes may be in it or not. And each tally counts what it shows.
 */
export function checkVotes({ operations }: Pick<History, 'operations'>): string[] {
  const tallies = answered(operations, 'tally');
  const faults = tallies.flatMap(({ by, poll, options = [] }) => {
    const voters = options.flatMap(({ voters }) => voters);
    const isWhole = options.every(({ votes, voters }) => votes === voters.length);
    return isWhole && new Set(voters).size === voters.length ? [] : [`${poll}: ${by} sees a double vote`];
  });
  const votes = Object.groupBy(all(operations, 'vote'), ({ poll, by }) => JSON.stringify([poll, by]));
  for (const [key, own = []] of Object.entries(votes)) {
    const [poll, voter] = JSON.parse(key) as [string, string];
    const sights = tallies
      .filter((tally) => tally.poll === poll)
      .map(({ invoked, completed, options = [] }) => ({
        invoked,
        completed,
        chosen: options.find(({ voters }) => voters.includes(voter))?.id ?? NONE,
      }));
    const steps = [...own.flatMap(toSteps), ...sights].toSorted((one, other) => one.invoked - other.invoked);
    if (!hasOrder(steps)) faults.push(`${poll}: no order of the votes of ${voter} explains what was seen`);
  }
  return faults;
}

function toSteps({ invoked, completed = Number.POSITIVE_INFINITY, option, chosen }: Vote): Step[] {
  const vote = { invoked, completed, option };
  return chosen === undefined ? [vote] : [vote, { invoked, completed, chosen, after: vote }];
}

function hasOrder(steps: readonly Step[]): boolean {
  const tried = new Set<string>();
  const open: { left: readonly Step[]; choice: string }[] = [{ left: steps, choice: NONE }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { left, choice } = place;
    const latest = Math.min(...left.map(({ completed }) => completed));
    if (latest === Number.POSITIVE_INFINITY) return true;
    const key = `${left.map((step) => steps.indexOf(step))} ${choice}`;
    if (tried.has(key)) continue;
    tried.add(key);
    const next = left.filter(
      ({ invoked, chosen = choice, after }) =>
        invoked <= latest && chosen === choice && !(after && left.includes(after)),
    );
    const unanswered = next.filter(({ completed }) => completed === Number.POSITIVE_INFINITY);
    // Of unanswered votes for one option, the first is as good as any. They are tried last.
    const firsts = new Map(unanswered.toReversed().map((step) => [step.option, step]));
    const sure = next.filter((step) => !unanswered.includes(step));
    for (const step of [...firsts.values(), ...sure.toReversed()]) {
      const { option = choice } = step;
      const isTaken = step.option !== undefined && option === choice;
      open.push({ left: left.filter((one) => one !== step), choice: isTaken ? NONE : option });
    }
  }
  return false;
}
