/** Who is told of each change of something, as `useSyncExternalStore` needs it. */
export class Watchers {
  readonly #watchers = new Set<() => void>();

  /** Tells the watcher of each change until the returned function is called. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
