import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from './metrics.ts';

test('counters, histograms and gauges in the text format of Prometheus', async () => {
  const metrics = new Metrics();
  const answers = metrics.counter('answers_total', 'Answers.');
  answers.add({ route: '/a', status: '200' });
  answers.add({ route: '/a', status: '200' }, 2);
  answers.add({ route: '/"\\\n', status: '404' });
  const times = metrics.histogram('time_seconds', 'Time.');
  for (const seconds of [0.001, 0.3, 11]) times.series({ route: '/a' }).observe(seconds);
  metrics.gauge('depth', 'Depth.', async () => 7);
  metrics.gauge('by_state', 'By state.', () => [{ labels: { state: 'due' }, value: 1 }]);
  metrics.readCounter('cpu_seconds_total', 'Time used.', () => 0.5);
  const away = () => Promise.reject(new Error('away'));
  metrics.gauge('failing', 'Whose source is away.', away);
  metrics.gauge('stopped', 'Whose source is away, which tells enough.', away, 0);
  assert.equal(metrics.counter('answers_total', 'Answers.'), answers);
  const expected = `# HELP answers_total Answers.
# TYPE answers_total counter
answers_total{route="/a",status="200"} 3
answers_total{route="/\\"\\\\\\n",status="404"} 1
# HELP time_seconds Time.
# TYPE time_seconds histogram
time_seconds_bucket{route="/a",le="0.001"} 1
time_seconds_bucket{route="/a",le="0.0025"} 1
time_seconds_bucket{route="/a",le="0.005"} 1
time_seconds_bucket{route="/a",le="0.01"} 1
time_seconds_bucket{route="/a",le="0.025"} 1
time_seconds_bucket{route="/a",le="0.05"} 1
time_seconds_bucket{route="/a",le="0.1"} 1
time_seconds_bucket{route="/a",le="0.25"} 1
time_seconds_bucket{route="/a",le="0.5"} 2
time_seconds_bucket{route="/a",le="1"} 2
time_seconds_bucket{route="/a",le="2.5"} 2
time_seconds_bucket{route="/a",le="10"} 2
time_seconds_bucket{route="/a",le="+Inf"} 3
time_seconds_sum{route="/a"} 11.301
time_seconds_count{route="/a"} 3
# HELP depth Depth.
# TYPE depth gauge
depth 7
# HELP by_state By state.
# TYPE by_state gauge
by_state{state="due"} 1
# HELP cpu_seconds_total Time used.
# TYPE cpu_seconds_total counter
cpu_seconds_total 0.5
# HELP stopped Whose source is away, which tells enough.
# TYPE stopped gauge
stopped 0
# HELP parley_metrics_missing Metrics that could not be read for this answer.
# TYPE parley_metrics_missing gauge
parley_metrics_missing 1
`;
  assert.equal(await metrics.render(), expected);
});

test('a hanging metric is left out after a second and not read again until it has finished', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const metrics = new Metrics();
  const source = Promise.withResolvers<number>();
  let questions = 0;
  const ask = () => {
    questions++;
    return source.promise;
  };
  metrics.gauge('hanging', 'Whose source hangs.', ask);
  for (let scrape = 0; scrape < 2; scrape++) {
    const rendered = metrics.render();
    t.mock.timers.tick(1_000);
    assert.doesNotMatch(await rendered, /hanging/);
    assert.match(await rendered, /^parley_metrics_missing 1$/m);
  }
  assert.equal(questions, 1);
  source.resolve(7);
  await source.promise;
  assert.match(await metrics.render(), /^hanging 7$/m);
});
