import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { say } from '#contract/reasons.ts';
import { type DoctorDeps, type Finding, fault, ok, reasonOf } from './finding.ts';

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
  const shown = say('health.disk', { free: (free / GIB).toFixed(1), path: existing });
  const disk = free >= minFreeBytes ? ok('disk', shown) : fault('disk', shown, say('health.disk.remedy'));
  return [ok('data directory', directory), disk, await checkUploads(directory)];
}

/** Checks that only the server's user can read uploads; early versions let every user of the machine read them. */
async function checkUploads(dataDir: string): Promise<Finding> {
  const directory = join(dataDir, 'media');
  const found = await stat(directory).catch(() => undefined);
  if (!found) return ok('uploads', say('health.no-uploads'));
  const isOpen = process.platform !== 'win32' && (found.mode & OTHERS) !== 0;
  if (!isOpen) return ok('uploads', directory);
  const mode = (found.mode & 0o777).toString(8);
  return fault('uploads', say('health.uploads-open', { directory, mode }), `chmod -R go= ${directory}`);
}
