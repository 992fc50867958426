import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder, until the test has ended. */
export async function scratchFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
