/** What is measured while people are at work, in milliseconds, and by path for what is slow. */
export class Figures {
  readonly reads: number[] = [];
  readonly writes: number[] = [];
  readonly toScreens: number[] = [];
  readonly failures = new Map<string, number>();
  readonly byRoute = new Map<string, { count: number; total: number; slowest: number }>();

  noteAnswer(route: string, status: number, ms: number): void {
    (route.startsWith('GET') ? this.reads : this.writes).push(ms);
    const own = this.byRoute.get(route) ?? { count: 0, total: 0, slowest: 0 };
    this.byRoute.set(route, {
      count: own.count + 1,
      total: own.total + ms,
      slowest: Math.max(own.slowest, ms),
    });
    if (status >= 400 || status === 0) this.noteFailure(`${status} ${route}`);
  }

  noteFailure(what: string): void {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
