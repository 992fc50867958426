import type { Part } from '#platform/database/statement.ts';
import type { Database, Db, Tx } from '#platform/database.ts';

/** A statement as written, and the values of its first run. */
export interface RecordedStatement {
  text: string;
  /** The flow during which it was sent. */
  flow: string;
  strings: TemplateStringsArray;
  parameters: readonly Part[];
}

export type StatementRecorder = ReturnType<typeof recordStatements>;

export function recordStatements(database: Database) {
  const recorded = new Map<string, RecordedStatement>();
  const parts = new Set<unknown>();
  let made: { result: unknown; statement: RecordedStatement }[] = [];
  let current: string | undefined;

  const watch = <T extends Db>(target: T): T =>
    new Proxy<T>(target, {
      apply(tag, self, [first, ...rest]: [TemplateStringsArray | object[] | string, ...Part[]]) {
        const result = Reflect.apply(tag, self, [first, ...rest]);
        if (current !== undefined && typeof first === 'object' && 'raw' in first) {
          for (const part of rest) parts.add(part);
          const text = first.join('$').replace(/\s+/g, ' ').trim();
          made.push({ result, statement: { text, flow: current, strings: first, parameters: rest } });
        }
        return result;
      },
      get(tag, name) {
        const found = Reflect.get(tag, name);
        if (name === 'shared') return (address?: string) => watch(database.shared(address));
        if (name === 'background') return watch(database.background);
        if (name !== 'begin' && name !== 'write') return found;
        const transact = found as Database['begin'];
        return (work: (tx: Tx) => Promise<unknown>) => transact((tx) => work(watch(tx)));
      },
    });

  return {
    /** The database with recording. */
    db: watch(database),
    /** Assigns further statements to this flow; undefined stops recording. */
    enter(flow: string | undefined): void {
      // Fragments are not statements themselves, which is known only once the whole statement exists.
      for (const { result, statement } of made) {
        if (!parts.has(result) && !recorded.has(statement.text)) recorded.set(statement.text, statement);
      }
      made = [];
      current = flow;
    },
    statements: () => [...recorded.values()],
  };
}

/** The plan of a statement for its recorded values, without running it. */
export async function explain(db: Database, { strings, parameters }: RecordedStatement): Promise<PlanNode> {
  const [row] = await db<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>`
    explain (format json) ${db(strings, ...parameters)}`;
  if (!row) throw new Error('there is no plan');
  return row['QUERY PLAN'][0].Plan;
}

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Plan Rows': number;
  Plans?: PlanNode[];
}

export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
