/** Runs the given test files in one process. */
import { before } from 'node:test';
import { pathToFileURL } from 'node:url';

const { promise, resolve } = Promise.withResolvers<void>();
// If the tests so far ended while the next file is read, the hooks for the end would run then, and never again.
before(() => promise);
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
resolve();
