import type { Extension } from '#contract/applications.ts';
import type { Db } from '#platform/database.ts';
import { recordAudit } from '../audit/record.ts';
import type { ApplicationDeps } from '../deps.ts';
import { lockOwnApplication, type Owned } from '../service.ts';
import { deleteExtension, insertExtension, selectExtensions } from './in-use.ts';

/** Whether an extension is on for an application; if not, it behaves as if it did not exist. */
export async function hasExtension(db: Db, appId: string, extension: Extension): Promise<boolean> {
  return (await selectExtensions(db, appId)).includes(extension);
}

/** Switches an extension on or off; repeating it is not an error. Returns those that are on. */
export async function switchExtension(
  deps: ApplicationDeps,
  own: Owned,
  { extension, isOn }: { extension: Extension; isOn: boolean },
): Promise<Extension[]> {
  const extensions = await deps.db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    const isChanged = isOn
      ? await insertExtension(tx, application, { extension, switchedOnAt: deps.clock.now() })
      : await deleteExtension(tx, application, extension);
    if (isChanged)
      await recordAudit(tx, deps, own, isOn ? 'extension.switched-on' : 'extension.switched-off', {
        extension,
      });
    return selectExtensions(tx, own.appId);
  });
  deps.extensionsInUse.announceChange();
  return extensions;
}
