import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import type { Metrics } from '#platform/monitoring/metrics.ts';

/** Messages between the supervisor and its processes, in both directions. */
type Message = { parley: 'metrics-asked'; id: string } | { parley: 'metrics'; id: string; text: string };

/** Longer than a process waits for its slowest metric, and short enough to answer a scrape within 2 s. */
const WAIT_TIMEOUT_MS = 1_500;
const ANSWERS = 'parley_process_answers';

/** In a supervised process: sends its metrics to the supervisor, and serves those of all processes. */
export function shareMetrics(metrics: Metrics): Disposable {
  const answers = new Map<string, (text: string) => void>();
  const hear = async (message: Message) => {
    if (message.parley === 'metrics-asked') {
      const text = await metrics.render();
      process.send?.({ parley: 'metrics', id: message.id, text } satisfies Message);
    }
    if (message.parley === 'metrics') answers.get(message.id)?.(message.text);
  };
  process.on('message', hear);
  metrics.collect = async () => {
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<string>();
    answers.set(id, resolve);
    process.send?.({ parley: 'metrics-asked', id } satisfies Message);
    return promise.finally(() => answers.delete(id));
  };
  return { [Symbol.dispose]: () => void process.off('message', hear) };
}

/** In the supervisor: answers processes that ask for the metrics of all. */
export function answerMetrics(): Disposable {
  const hear = async (worker: Worker, message: Message) => {
    if (message.parley !== 'metrics-asked') return;
    const text = await collectMetrics();
    if (worker.isConnected()) worker.send({ parley: 'metrics', id: message.id, text } satisfies Message);
  };
  cluster.on('message', hear);
  return { [Symbol.dispose]: () => void cluster.off('message', hear) };
}

/** The metrics of every process; for one that does not answer in time, only that fact. */
export async function collectMetrics(): Promise<string> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const texts = await Promise.all(workers.map(askProcess));
  return mergeMetrics(
    workers.map((worker, i) => {
      const head = `# HELP ${ANSWERS} 1 while the process answers.\n# TYPE ${ANSWERS} gauge\n`;
      const text = texts[i];
      const answers = text === undefined ? 0 : 1;
      return { process: String(worker.process.pid), text: `${head}${ANSWERS} ${answers}\n${text ?? ''}` };
    }),
  );
}

async function askProcess(worker: Worker): Promise<string | undefined> {
  const id = randomUUID();
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const hear = (message: Message) => {
    if (message.parley === 'metrics' && message.id === id) resolve(message.text);
  };
  worker.on('message', hear);
  const timer = setTimeout(() => resolve(undefined), WAIT_TIMEOUT_MS);
  if (worker.isConnected()) worker.send({ parley: 'metrics-asked', id } satisfies Message);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', hear);
  });
}

/** Merges several texts in Prometheus format: each metric once, its series with the label `process`. */
export function mergeMetrics(parts: readonly { process: string; text: string }[]): string {
  const metrics = new Map<string, string[]>();
  for (const { process: name, text } of parts) {
    let lines: string[] = [];
    for (const line of text.split('\n').filter(Boolean)) {
      const metric = /^# HELP (\S+)/.exec(line)?.[1];
      if (metric !== undefined) {
        lines = metrics.get(metric) ?? [];
        metrics.set(metric, lines);
      }
      if (!line.startsWith('#')) lines.push(withLabel(line, name));
      else if (!lines.includes(line)) lines.push(line);
    }
  }
  return `${[...metrics.values()].flat().join('\n')}\n`;
}

function withLabel(line: string, name: string): string {
  const [, metric = '', labels, value = ''] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  return `${metric}{process="${name}"${labels ? `,${labels}` : ''}} ${value}`;
}
