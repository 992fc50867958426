import type { LoggedState } from '../choices.ts';
import type { EventFilter, LoggedEvent } from '../webhooks.ts';

const FAILED: ReadonlySet<LoggedState> = new Set(['retrying', 'abandoned']);

/** Whether an event belongs to a filtered log, for the server that reads it and the page that follows it live. */
export function passes({ state, type, since }: EventFilter, event: LoggedEvent): boolean {
  return (
    (state === undefined || event.state === state || (state === 'failed' && FAILED.has(event.state))) &&
    (type === undefined || event.type === type) &&
    (since === undefined || event.createdAt >= Number(since))
  );
}
