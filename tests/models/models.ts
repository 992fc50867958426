import { type Checked, check } from './checker.ts';
import { DELIVERY_GUARDS, deliveries } from './deliveries.ts';
import { ROTATION_GUARDS, rotation } from './rotation.ts';

/** `npm run models`: visits every state of the models up to a bound, then those of each model without one of its guards. */
let failed = false;

function tell(name: string, work: () => Checked, isFaultExpected = false): void {
  const began = performance.now();
  const { states, steps, depth, counterexample } = work();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  failed ||= (counterexample !== undefined) !== isFaultExpected;
  if (isFaultExpected) {
    const found = counterexample
      ? `${counterexample.broken}, after ${counterexample.trace.length} steps`
      : '**no**';
    console.log(`| ${name} | ${found} |`);
  } else {
    console.log(`| ${name} | ${states} | ${steps} | ${depth} | ${seconds} s |`);
    if (counterexample) console.error(`${counterexample.broken}\n${counterexample.trace.join('\n')}`);
  }
}

console.log('| Model and bound | States | Steps | Depth | Time |\n| --- | --- | --- | --- | --- |');
tell('rotation: 6 requests', () => check(rotation(6)));
for (const bounds of [
  { workers: 2, failures: 2, deaths: 1, expiries: 0 },
  { workers: 2, failures: 0, deaths: 1, expiries: 2 },
  { workers: 2, failures: 1, deaths: 1, expiries: 1 },
  { workers: 3, failures: 0, deaths: 2, expiries: 0 },
]) {
  const bound = Object.entries(bounds).map(([name, count]) => `${count} ${name}`);
  tell(`deliveries: ${bound.join(', ')}`, () => check(deliveries(bounds)));
}

console.log('\n| Guard left out | Found |\n| --- | --- |');
for (const guard of ROTATION_GUARDS) tell(guard, () => check(rotation(4, guard)), true);
const small = { workers: 2, failures: 0, deaths: 1, expiries: 1 };
for (const guard of DELIVERY_GUARDS) tell(guard, () => check(deliveries(small, guard)), true);
process.exitCode = Number(failed);
