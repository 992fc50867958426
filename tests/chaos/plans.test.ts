import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { PLANNED, planOf } from './plans.ts';

const run = promisify(execFile);

async function printedPlan(seed: number): Promise<string> {
  return (await run('node', ['tests/chaos/chaos.ts', '--plan', `--seed=${seed}`])).stdout;
}

test('two runs with one seed make the same plan, byte for byte', async () => {
  const [first, second, other] = await Promise.all([printedPlan(7), printedPlan(7), printedPlan(8)]);
  assert.equal(first, second);
  assert.notEqual(first, other);
});

for (const name of PLANNED) {
  test(`the plan of ${name} depends on the seed, and on nothing else`, () => {
    assert.deepEqual(planOf(name, 7), planOf(name, 7));
    assert.notDeepEqual(planOf(name, 7), planOf(name, 8));
  });
}

test('no scenario has another source of choices', () => {
  const sources = globSync('tests/chaos/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const wrong = sources.filter((file) =>
    /Math\.random|randomUUID|\brandom\(\)/.test(readFileSync(file, 'utf8')),
  );
  assert.deepEqual(wrong, []);
});

test('a failure says how it is repeated', async () => {
  const failing = run('node', ['tests/chaos/chaos.ts', 'power-cut', '--seed=7'], {
    env: { ...process.env, TMPDIR: '/nowhere' },
  });
  await assert.rejects(failing, ({ stdout, stderr }: { stdout: string; stderr: string }) => {
    assert.match(stdout, /^seed 7\n/);
    assert.match(stderr, /To repeat this: npm run chaos -- power-cut --seed=7\n/);
    return true;
  });
});
