import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { say } from '#contract/reasons.ts';
import type { S3Config } from '#platform/config.ts';
import { type DoctorDeps, type Finding, fault, faultOf, ok, reasonOf, warningOf } from './finding.ts';

const GIB = 2 ** 30;
const OTHERS = 0o077;

/** Checks that the data directory is writable and has free space. */
export async function checkDisk({
  config,
  minFreeBytes,
}: Pick<DoctorDeps, 'config' | 'minFreeBytes'>): Promise<Finding[]> {
  const directory = resolve(config.dataDir);
  const existing = (await stat(directory).catch(() => undefined)) ? directory : dirname(directory);
  const refusal = await access(existing, constants.W_OK | constants.X_OK).then(() => undefined, reasonOf);
  if (refusal !== undefined)
    return [
      fault(
        'data directory',
        say('health.directory-unwritable', {
          path: existing,
          user: process.geteuid?.() ?? '?',
          reason: refusal,
        }),
        say('health.directory-unwritable.remedy', { directory }),
      ),
    ];
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const room = { free: (free / GIB).toFixed(1), path: existing };
  const disk =
    free >= minFreeBytes ? ok('disk', say('health.disk', room)) : faultOf('disk', 'health.disk', room);
  return [ok('data directory', directory), disk, await checkUploads(directory, config.s3)];
}

/**
 * Checks that only the server's user can read uploads, which every user of the machine could in early versions, and that none are left
 * behind by a server that has come to use a store.
 */
async function checkUploads(dataDir: string, s3: S3Config | undefined): Promise<Finding> {
  const directory = join(dataDir, 'media');
  const found = await stat(directory).catch(() => undefined);
  if (!found) return ok('uploads', say('health.no-uploads'));
  const isOpen = process.platform !== 'win32' && (found.mode & OTHERS) !== 0;
  if (isOpen) {
    const mode = (found.mode & 0o777).toString(8);
    return fault('uploads', say('health.uploads-open', { directory, mode }), `chmod -R go= ${directory}`);
  }
  const folders = await readdir(directory).catch(() => []);
  if (s3 && folders.some((name) => name !== 'staging'))
    return warningOf('uploads', 'health.uploads-left', { directory });
  return ok('uploads', directory);
}
