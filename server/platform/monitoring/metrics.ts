/** The labels of one series, in the order in which the metric declares them. */
type Labels = Readonly<Record<string, string>>;

interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  /** Undefined if the metric cannot be read. */
  lines(): string[] | Promise<string[] | undefined>;
}

/** The reading of a gauge: one value, or one per set of labels. */
export type Reading = number | { labels: Labels; value: number }[];

/** `/metrics` responds within 2 s, also with several processes: each waits at most this long for its own metrics. */
const READ_MS = 1_000;
const MISSING = 'parley_metrics_missing';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * The metrics of this process in the text format of Prometheus. Counting costs only the lookup of a series; everything else
 * happens on a scrape.
 */
export class Metrics {
  readonly #metrics = new Map<string, Metric>();
  readonly #counters = new Map<string, Counter>();
  readonly #readMs: number;

  /** @param readMs how long a scrape waits for each metric; a second except in tests */
  constructor({ readMs = READ_MS }: { readMs?: number } = {}) {
    this.#readMs = readMs;
  }

  /** The text of `/metrics`: of this process, or of all processes if a supervisor collects them. */
  collect = (): Promise<string> => this.render();

  /** Returns the existing counter if the name is known. */
  counter(name: string, help: string): Counter {
    const counter = this.#counters.get(name) ?? new Counter(name, (labels) => new CounterSeries(labels));
    this.#counters.set(name, counter);
    this.#metrics.set(name, { name, help, type: 'counter', lines: () => counter.lines() });
    return counter;
  }

  /** For durations in seconds. */
  histogram(name: string, help: string): Family<HistogramSeries> {
    const histogram = new Family(name, (labels) => new HistogramSeries(labels));
    this.#metrics.set(name, { name, help, type: 'histogram', lines: () => histogram.lines() });
    return histogram;
  }

  /**
   * Read on each scrape. If the read fails or takes longer than a second, the value is `otherwise`; without `otherwise` the
   * metric is left out of the response and counted in `parley_metrics_missing`.
   */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>, otherwise?: Reading): void {
    this.#add(name, help, 'gauge', inTime(read, otherwise, this.#readMs));
  }

  /** A counter that is maintained elsewhere. */
  readCounter(name: string, help: string, read: () => Reading): void {
    this.#add(name, help, 'counter', read);
  }

  async render(): Promise<string> {
    let missing = 0;
    const parts = await Promise.all(
      [...this.#metrics.values()].map(async ({ name, help, type, lines }) => {
        const shown = await lines();
        if (!shown) missing++;
        return shown && shown.length > 0 ? [...heading(name, help, type), ...shown] : [];
      }),
    );
    const last = heading(MISSING, 'Metrics that could not be read for this answer.', 'gauge');
    return `${[...parts.flat(), ...last, line(MISSING, {}, missing)].join('\n')}\n`;
  }

  #add(
    name: string,
    help: string,
    type: 'counter' | 'gauge',
    read: () => Reading | Promise<Reading | undefined>,
  ): void {
    const lines = async () => {
      const reading = await read();
      if (reading === undefined) return undefined;
      const rows = typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading;
      return rows.map(({ labels, value }) => line(name, labels, value));
    };
    this.#metrics.set(name, { name, help, type, lines });
  }
}

/** A hanging read is not started again meanwhile, since each would take another connection. */
function inTime(
  read: () => Reading | Promise<Reading>,
  otherwise: Reading | undefined,
  readMs: number,
): () => Promise<Reading | undefined> {
  let reading: Promise<Reading | undefined> | undefined;
  const readOnce = async () => {
    try {
      return await read();
    } catch {
      return otherwise;
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<Reading | undefined>();
    const timer = setTimeout(resolve, readMs, otherwise);
    reading ??= readOnce();
    return Promise.race([reading, late]).finally(() => clearTimeout(timer));
  };
}

function heading(name: string, help: string, type: Metric['type']): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** The counter for one set of labels. */
export class CounterSeries {
  readonly #labels: Labels;
  value = 0;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  add(by = 1): void {
    this.value += by;
  }

  lines(name: string): string[] {
    return [line(name, this.#labels, this.value)];
  }
}

/** The durations for one set of labels. */
export class HistogramSeries {
  readonly #labels: Labels;
  readonly #counts: number[] = new Array(BUCKETS_SECONDS.length + 1).fill(0);
  #sum = 0;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  observe(seconds: number): void {
    let i = 0;
    while (i < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[i] as number)) i++;
    this.#counts[i] = (this.#counts[i] as number) + 1;
    this.#sum += seconds;
  }

  lines(name: string): string[] {
    let total = 0;
    const buckets = this.#counts.map((count, i) => {
      total += count;
      return line(`${name}_bucket`, { ...this.#labels, le: String(BUCKETS_SECONDS[i] ?? '+Inf') }, total);
    });
    return [
      ...buckets,
      line(`${name}_sum`, this.#labels, this.#sum),
      line(`${name}_count`, this.#labels, total),
    ];
  }
}

class Family<Series extends CounterSeries | HistogramSeries> {
  readonly #name: string;
  readonly #begin: (labels: Labels) => Series;
  readonly #series = new Map<string, Series>();

  constructor(name: string, begin: (labels: Labels) => Series) {
    this.#name = name;
    this.#begin = begin;
  }

  /** The series for these labels; keep it if you count often. */
  series(labels: Labels): Series {
    const key = Object.values(labels).join('\n');
    const series = this.#series.get(key) ?? this.#begin(labels);
    this.#series.set(key, series);
    return series;
  }

  lines(): string[] {
    return [...this.#series.values()].flatMap((series) => series.lines(this.#name));
  }
}

export class Counter extends Family<CounterSeries> {
  add(labels: Labels, by = 1): void {
    this.series(labels).add(by);
  }
}

function line(name: string, labels: Labels, value: number): string {
  const shown = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${shown.length > 0 ? `{${shown.join()}}` : ''} ${value === Number.POSITIVE_INFINITY ? '+Inf' : value}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
