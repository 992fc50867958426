import { Loop, type LoopOptions, type Step } from '#platform/loop.ts';
import type { Platform } from '#platform/platform.ts';

/** The longest time until work resumes after maintenance. */
const PAUSE_MS = 1_000;

/** A loop that pauses during maintenance, so that nothing changes; due work waits. */
export function startWork(
  platform: Pick<Platform, 'log' | 'metrics' | 'notices'>,
  options: LoopOptions,
  step: Step,
): Loop {
  const rest = async () => Math.min(options.everyMs, PAUSE_MS);
  return new Loop(platform, options, (signal) => (platform.notices.maintenance ? rest() : step(signal)));
}
