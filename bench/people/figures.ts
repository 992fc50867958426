/** What is measured while people are at work, in milliseconds. */
export class Figures {
  readonly reads: number[] = [];
  readonly writes: number[] = [];
  readonly toScreens: number[] = [];
  readonly byRoute = new Map<string, { count: number; total: number; slowest: number }>();
  readonly #failures = new Map<string, number>();

  noteAnswer(route: string, status: number, ms: number): void {
    (route.startsWith('GET') ? this.reads : this.writes).push(ms);
    const { count, total, slowest } = this.byRoute.get(route) ?? { count: 0, total: 0, slowest: 0 };
    this.byRoute.set(route, { count: count + 1, total: total + ms, slowest: Math.max(slowest, ms) });
    if (status >= 400 || status === 0) this.noteFailure(`${status} ${route}`);
  }

  noteFailure(what: string): void {
    this.#failures.set(what, (this.#failures.get(what) ?? 0) + 1);
  }

  get failures(): string {
    return [...this.#failures].map(([what, count]) => `${count} × ${what}`).join(', ') || 'none';
  }
}
