import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readServerMessage } from './postmaster.ts';

const cases: [line: string, text: string, level: 'warn' | 'error' | undefined][] = [
  [
    'postmaster: LOG:  listening on IPv4 address "127.0.0.1"',
    'listening on IPv4 address "127.0.0.1"',
    undefined,
  ],
  ['checkpointer: ERROR:  could not fsync file "x"', 'could not fsync file "x"', 'error'],
  ['walwriter: PANIC:  could not write to file', 'could not write to file', 'error'],
  ['autovacuum worker: WARNING:  page verification failed', 'page verification failed', 'warn'],
  [
    'startup: LOG:  database system was not properly shut down; automatic recovery in progress',
    'database system was not properly shut down; automatic recovery in progress',
    'warn',
  ],
  ['client backend: ERROR:  duplicate key value', 'duplicate key value', undefined],
  [
    'client backend: WARNING:  there is no transaction in progress',
    'there is no transaction in progress',
    undefined,
  ],
  ['client backend: PANIC:  could not write to log file', 'could not write to log file', 'error'],
  [
    'client backend: DETAIL:  Key (email)=(a@example.org) already exists.',
    'client backend: DETAIL:  Key (email)=(a@example.org) already exists.',
    undefined,
  ],
];

for (const [line, text, level] of cases) {
  test(`of "${line}", ${level ?? 'nothing'} is passed on`, () => {
    assert.deepEqual(readServerMessage(line), { text, level });
  });
}
