import { performance } from 'node:perf_hooks';

const MEASURED_MS = 500;
/** The share of the time in which the process has been at work. */
const BUSY = 0.85;

let latest = { at: performance.now(), use: performance.eventLoopUtilization(), isBusy: false };

/**
 * The time between updates that are only for show: `everyMs`, twice that while this process has hardly any time left, which it needs for
 * what has to be done.
 */
export function paced(everyMs: number): number {
  const at = performance.now();
  if (at - latest.at >= MEASURED_MS) {
    const use = performance.eventLoopUtilization();
    latest = { at, use, isBusy: performance.eventLoopUtilization(use, latest.use).utilization > BUSY };
  }
  return latest.isBusy ? 2 * everyMs : everyMs;
}
