import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { pino } from 'pino';
import type { Log } from '#platform/log.ts';

const logged: string[] = [];
let expected: RegExp[] = [];

/** A test during which a server logs an error fails, whatever else it checks, unless it names the error here. */
export function expectErrors(line: RegExp): void {
  expected.push(line);
}

/** Until it is closed: what a server still does after its end fails, and concerns no test. */
export function createErrorLog(): { log: Log; close: () => void } {
  let isOpen = true;
  const write = (line: string) => {
    if (isOpen) logged.push(line);
  };
  return {
    log: pino({ level: 'error', base: null, timestamp: false }, { write }),
    close: () => {
      isOpen = false;
    },
  };
}

afterEach((t) => {
  const unexpected = logged.splice(0).filter((line) => !expected.some((pattern) => pattern.test(line)));
  if ('fullName' in t && t.fullName === t.name) expected = [];
  assert.deepEqual(unexpected, [], 'a server logged errors that this test does not expect');
});
