import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type DoctorDeps, type Finding, fault, ok } from './finding.ts';

const GIB = 2 ** 30;

/** That the data directory can be written, and has room. */
export async function checkDisk({ config, minFreeBytes }: DoctorDeps): Promise<Finding[]> {
  const directory = resolve(config.dataDir);
  const place = (await stat(directory).catch(() => undefined)) ? directory : dirname(directory);
  const isWritable = await access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return [
      fault(
        'data directory',
        `${place} cannot be written by user id ${process.geteuid?.() ?? '?'}`,
        `create ${directory} and chown it to the user who runs Parley, or set DATA_DIR`,
      ),
    ];
  const { bavail, bsize } = await statfs(place);
  const free = bavail * bsize;
  const shown = `${(free / GIB).toFixed(1)} GiB are free in ${place}`;
  const disk =
    free >= minFreeBytes
      ? ok('disk', shown)
      : fault('disk', shown, 'make room or a larger disk: a full one stops the database');
  return [ok('data directory', place), disk];
}
