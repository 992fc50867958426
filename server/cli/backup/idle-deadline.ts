/** How far work has come, for whoever waits for it. */
export interface Progress {
  /** Aborted when the work has to end. */
  signal: AbortSignal;
  /** To be called whenever data has moved. */
  moved(): void;
}

/** A database under load may sort or wait for a lock this long before it sends its first byte. */
export const IDLE_MS = 120_000;

/**
 * Runs work that has no time limit as long as data moves: it ends with the caller's signal, or once nothing has moved
 * for so long.
 *
 * @throws the reason of the signal, whatever the abort made fail
 */
export async function withinIdleDeadline<T>(
  { idleMs = IDLE_MS, signal: stop }: { idleMs?: number | undefined; signal: AbortSignal },
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const expired = new AbortController();
  const giveUp = () => expired.abort(new Error(`stopped: no data has moved for ${idleMs / 1000} s`));
  const timer = setTimeout(giveUp, idleMs);
  const signal = AbortSignal.any([stop, expired.signal]);
  try {
    return await work({ signal, moved: () => void timer.refresh() });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
