import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from '#platform/monitoring/metrics.ts';
import { mergeMetrics } from './metrics.ts';

async function render(answers: number): Promise<string> {
  const metrics = new Metrics();
  metrics.gauge('up', 'Whether it runs.', () => 1);
  metrics.counter('answers', 'By route.').add({ route: 'a "quoted" {route}' }, answers);
  return metrics.render();
}

test('the metrics of several processes are merged, each series labelled with its process', async () => {
  const merged = mergeMetrics([
    { process: '11', text: await render(3) },
    { process: '12', text: await render(4) },
  ]);
  assert.equal(
    merged,
    [
      '# HELP up Whether it runs.',
      '# TYPE up gauge',
      'up{process="11"} 1',
      'up{process="12"} 1',
      '# HELP answers By route.',
      '# TYPE answers counter',
      'answers{process="11",route="a \\"quoted\\" {route}"} 3',
      'answers{process="12",route="a \\"quoted\\" {route}"} 4',
      '# HELP parley_metrics_missing Metrics that could not be read for this answer.',
      '# TYPE parley_metrics_missing gauge',
      'parley_metrics_missing{process="11"} 0',
      'parley_metrics_missing{process="12"} 0',
      '',
    ].join('\n'),
  );
});
