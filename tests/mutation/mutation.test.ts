import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { Judge, Survey } from './judge.ts';
import { mutateAll } from './mutants.ts';
import { sqlEdits } from './sql-edits.ts';

/** The statements that its changes make. */
function changed(text: string): string[] {
  return sqlEdits(text).map(({ changes }) =>
    changes
      .toReversed()
      .reduce((all, { start, end, text }) => all.slice(0, start) + text + all.slice(end), text),
  );
}

test('of a statement, each condition is dropped, each comparison and lock changed, and nothing else', () => {
  assert.deepEqual(
    changed('select a, b = c from t where x = \0 and y < \0\0 order by a desc limit 1 for update'),
    [
      'select a, b = c from t where x = \0 and y < \0\0 order by a desc limit 1 ',
      'select a, b = c from t where x = \0 and y < \0\0 order by a asc limit 1 for update',
      'select a, b = c from t where true and y < \0\0 order by a desc limit 1 for update',
      'select a, b = c from t where x = \0 and true order by a desc limit 1 for update',
      'select a, b = c from t where x = \0 and y <= \0\0 order by a desc limit 1 for update',
    ],
  );
  assert.deepEqual(changed('delete from t where (a is null or b is not null)'), [
    'delete from t where (false or b is not null)',
    'delete from t where (a is not null or b is not null)',
    'delete from t where (a is null or false)',
    'delete from t where (a is null or b is null)',
    'delete from t where true',
  ]);
  assert.deepEqual(changed('insert into t values (1) on conflict (a) do nothing returning a'), [
    'insert into t values (1)  returning a',
  ]);
  assert.deepEqual(changed('update t set a = 1 where b = any(\0) \0\0'), [
    'update t set a = 1 where true \0\0',
  ]);
});

test('a bucket goes with the id beside it', () => {
  assert.deepEqual(changed('delete from t where t.bucket = \0 and id = \0 and x'), [
    'delete from t where true and true and x',
    'delete from t where true and id = \0 and true',
  ]);
});

test('one file has all its mutants, of which at most one is in effect', async (t) => {
  const folder = await scratchFolder(t);
  const path = join(folder, 'rule.ts');
  await writeFile(
    path,
    `export function refuse(size: number, list?: { names?: string[] }): string | undefined {
      if (size > 10) throw new Error('too large');
      return list?.names?.filter((name) => name !== '').join();
    }`,
  );
  const [file] = mutateAll([path], ['code']);
  assert.deepEqual(
    file?.mutants.map(({ name }) => name.slice(path.length)),
    [
      ' refuse: size > 10 → true',
      ' refuse: size > 10 → false',
      ' refuse: size > 10 → size >= 10',
      ' refuse: 10 → 11',
      " refuse: throw new Error('too large'); → nothing",
      " refuse: list?.names?.filter((name) => name !== '').join() → undefined",
      " refuse: name !== '' → undefined",
      " refuse: name !== '' → name === ''",
    ],
  );
  let active: number | undefined;
  Object.assign(globalThis, { __mutant: (id: number) => id === active });
  const { refuse } = await import(`data:text/javascript,${encodeURIComponent(file?.source ?? '')}`);
  const outcome = (size: number) => {
    try {
      return refuse(size, { names: ['', 'a'] });
    } catch {
      return 'refused';
    }
  };
  const outcomes = [undefined, ...(file?.mutants ?? [])].map((mutant) => {
    active = mutant?.id;
    return [outcome(10), outcome(11)].join();
  });
  assert.deepEqual(outcomes, [
    'a,refused',
    'refused,refused',
    'a,a',
    'refused,refused',
    'a,a',
    'a,a',
    ',refused',
    ',refused',
    ',refused',
  ]);
});

test('the tests of invitation tokens kill every mutant of them; other tests do not reach them', async () => {
  const file = 'server/features/groups/links/tokens.ts';
  const judgeAll = async (test: string) => {
    const target = { kinds: ['code' as const], files: [file], tests: [test] };
    const survey = await Survey.of(target);
    assert.deepEqual(survey.failing, []);
    using judge = new Judge(survey);
    const verdicts = [];
    for (const mutant of mutateAll(target.files, target.kinds)[0]?.mutants ?? [])
      verdicts.push(await judge.judge(mutant));
    return verdicts;
  };
  const verdicts = await judgeAll('server/features/groups/links/tokens.test.ts');
  assert.ok(verdicts.length > 10);
  assert.deepEqual(
    verdicts.filter(({ isKilled }) => !isKilled).map(({ mutant }) => mutant.name),
    [],
  );
  const [first] = await judgeAll('server/features/groups/rules.test.ts');
  assert.ok(first && !first.isKilled && first.reachedBy === 0);
});
