/** A state machine, whose states are plain values: what JSON writes alike is one state. */
export interface Model<State> {
  initial: State;
  /** Every state to which an action may lead; each is named after the function that does it. */
  actions: Record<string, (state: State) => State[]>;
  /** What holds in every state. */
  invariants: Record<string, (state: State) => boolean>;
  /** What remains possible from every state, whatever has happened. */
  reachable: Record<string, (state: State) => boolean>;
}

export interface Checked {
  states: number;
  /** Between two states, by an action. */
  steps: number;
  /** Of the shortest way to the state that is furthest from the first. */
  depth: number;
  counterexample?: { broken: string; trace: string[] };
}

interface Seen<State> {
  state: State;
  depth: number;
  /** How it was reached first. */
  from?: { index: number; action: string };
  /** The states that lead to it. */
  before: number[];
}

/**
 * Visits every state that a model can reach, those with fewer steps first, so that a counterexample is one of the shortest.
 *
 * @throws if there are more states than the limit
 */
export function check<State>(model: Model<State>, limit = 5_000_000): Checked {
  const seen: Seen<State>[] = [];
  const indexOf = new Map<string, number>();
  const visit = (state: State, from?: { index: number; action: string }): void => {
    const key = JSON.stringify(state);
    const known = indexOf.get(key);
    const index = known ?? seen.length;
    if (known === undefined) {
      if (index >= limit) throw new Error(`there are more than ${limit} states`);
      indexOf.set(key, index);
      const depth = from ? (seen[from.index] as Seen<State>).depth + 1 : 0;
      seen.push({ state, depth, ...(from && { from }), before: [] });
    }
    if (from) seen[index]?.before.push(from.index);
  };

  const holds = Object.entries(model.invariants);
  const actions = Object.entries(model.actions);
  let steps = 0;
  const result = () => ({ states: seen.length, steps, depth: seen.at(-1)?.depth ?? 0 });
  const broken = (name: string, index: number): Checked => ({
    ...result(),
    counterexample: { broken: name, trace: traceTo(seen, index) },
  });

  visit(model.initial);
  for (let index = 0; index < seen.length; index++) {
    const { state } = seen[index] as Seen<State>;
    const failed = holds.find(([, isTrue]) => !isTrue(state));
    if (failed) return broken(failed[0], index);
    for (const [action, next] of actions)
      for (const after of next(state)) {
        steps++;
        visit(after, { index, action });
      }
  }
  for (const [name, isReached] of Object.entries(model.reachable)) {
    const stuck = firstThatCannotReach(seen, isReached);
    if (stuck !== undefined) return broken(name, stuck);
  }
  return result();
}

/** The actions that lead to a state, each with what it changes. */
function traceTo<State>(seen: Seen<State>[], index: number): string[] {
  const trace: string[] = [];
  for (let at = seen[index]; at?.from; at = seen[at.from.index]) {
    const before = new Set(valuesOf((seen[at.from.index] as Seen<State>).state));
    const changed = valuesOf(at.state).filter((value) => !before.has(value));
    trace.unshift(`${at.from.action}: ${changed.join(', ')}`);
  }
  return trace;
}

/** Each value within it, as `workers.0.held=sending`. */
function valuesOf(value: unknown, path: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [`${path.join('.')}=${value}`];
  return Object.entries(value).flatMap(([key, part]) => valuesOf(part, [...path, key]));
}

/** Goes back from the states that have it. */
function firstThatCannotReach<State>(
  seen: Seen<State>[],
  isReached: (state: State) => boolean,
): number | undefined {
  const can = new Uint8Array(seen.length);
  const waiting: number[] = [];
  const mark = (index: number) => {
    if (can[index]) return;
    can[index] = 1;
    waiting.push(index);
  };
  for (const [index, { state }] of seen.entries()) if (isReached(state)) mark(index);
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop())
    seen[index]?.before.forEach(mark);
  const stuck = can.indexOf(0);
  return stuck < 0 ? undefined : stuck;
}
