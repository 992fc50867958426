import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '#testing/global-setup.ts';
import { createChance } from '../chance.ts';
import { reasonFor, unusedAmong } from './explained.ts';
import { Judge, Survey, type Verdict } from './judge.ts';
import { type Mutant, mutateAll } from './mutants.ts';
import { TARGETS, type Target } from './targets.ts';

/**
 * `npm run mutate`: changes one condition, comparison, value, call or guard of a statement at a time, and runs the tests that
 * reach it: one of them must fail. `--only=TEXT` takes the targets and files whose name contains it, `--sample=N --seed=S` as many
 * mutants of each target at random, `--list` only names them.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    list: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

const chosen = [...TARGETS].flatMap(([name, target]): [string, Target][] => {
  const files = target.files.filter((file) =>
    values.only.some((text) => name.includes(text) || file.includes(text)),
  );
  return files.length > 0 ? [[name, { ...target, files }]] : [];
});
if (chosen.length === 0) throw new Error(`no target: there are ${[...TARGETS.keys()].join('; ')}`);

function mutantsOf(name: string, { files, kinds }: Target): Mutant[] {
  const all = mutateAll(files, kinds).flatMap(({ mutants }) => mutants);
  if (values.sample === undefined) return all;
  const chance = createChance(`${values.seed} ${name}`);
  const ranked = all
    .map((mutant) => ({ mutant, rank: chance.fraction() }))
    .sort((one, other) => one.rank - other.rank);
  return ranked.slice(0, Number(values.sample)).map(({ mutant }) => mutant);
}

async function judgeAll(name: string, target: Target): Promise<Verdict[]> {
  const survey = await Survey.of(target);
  for (const { name, failure } of survey.failing)
    console.log(`judges nothing, since it fails without a mutant: ${name}: ${failure}`);
  const waiting = mutantsOf(name, target);
  const verdicts: Verdict[] = [];
  const work = async () => {
    using judge = new Judge(survey);
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const verdict = await judge.judge(mutant);
      verdicts.push(verdict);
      tell(verdict);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return verdicts;
}

function tell(verdict: Verdict): void {
  const { name, line } = verdict.mutant;
  if (verdict.isKilled) {
    if (values.verbose) console.log(`killed (${verdict.by}): ${line}: ${name}`);
    return;
  }
  const how = verdict.reachedBy === 0 ? 'no test reaches it' : `${verdict.reachedBy} tests reach it`;
  console.log(`SURVIVES${reasonFor(name) ? ' as explained' : ''} (${how}): ${line}: ${name}`);
}

function report(name: string, { files }: Target, verdicts: Verdict[]): string {
  const survivors = verdicts.filter(({ isKilled }) => !isKilled).map(({ mutant }) => mutant.name);
  const unused = values.sample === undefined ? unusedAmong(survivors, files) : [];
  if (unused.length > 0) process.exitCode = 1;
  for (const entry of unused) console.log(`explained, but does not survive: ${entry}`);
  const killed = verdicts.filter(({ isKilled }) => isKilled).length;
  const explained = verdicts.filter(({ isKilled, mutant }) => !isKilled && reasonFor(mutant.name)).length;
  const rest = verdicts.length - explained;
  if (killed < rest) process.exitCode = 1;
  return `| ${name} | ${verdicts.length} | ${killed} | ${explained} | ${rest - killed} | ${Math.floor((1000 * killed) / rest) / 10} % |`;
}

if (values.list) {
  for (const [name, target] of chosen) for (const mutant of mutantsOf(name, target)) console.log(mutant.name);
} else {
  await globalSetup();
  try {
    const rows: string[] = [];
    for (const [name, target] of chosen) {
      const began = performance.now();
      rows.push(report(name, target, await judgeAll(name, target)));
      console.log(`${rows.at(-1)} ${Math.round((performance.now() - began) / 1000)} s`);
    }
    console.log(
      [
        '',
        '| Target | Mutants | Killed | Explained | Unexplained | Score |',
        '| --- | --- | --- | --- | --- | --- |',
        ...rows,
      ].join('\n'),
    );
  } finally {
    await globalTeardown();
  }
}
