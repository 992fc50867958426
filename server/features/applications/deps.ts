import type { Accounts } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { ExtensionsInUse } from './extensions/in-use.ts';
import type { RequestRecorder } from './monitoring/recorder.ts';
import type { LockedApplication } from './queries.ts';

/** Dependencies of applications, their credentials, teams and monitoring. */
export interface ApplicationDeps extends Platform {
  accounts: Accounts;
  /** Of dependent features, which are created later; complete before the first request. */
  hooks: readonly ApplicationHook[];
  extensionsInUse: ExtensionsInUse;
  recorder: RequestRecorder;
}

/** Dependencies of what operators change; the command line has no more. */
export type OperatorApplicationDeps = Pick<Platform, 'db' | 'clock' | 'newId'>;

/** The part of a dependent feature in the life cycle of an application; `app.ts` passes the hooks in. */
export interface ApplicationHook {
  /** In the transaction that renames it. */
  renamed?(tx: Tx, application: { appId: string; name: string }): Promise<void>;
  /** After that commit. */
  afterRenaming?(appId: string): Promise<void>;
  /** In the transaction that deletes it. */
  deleted?(tx: Tx, application: LockedApplication & { at: number }): Promise<void>;
  /** After the commit that deleted it, before the response. */
  afterDeletion?(appId: string): Promise<void>;
  /** In a transaction that changes where its events go: a reactivation, a new webhook URL or none. */
  retargeted?(tx: Tx, application: { appId: string; at: number }): Promise<void>;
  /** After that commit, before the response, if it may receive events again. */
  afterReopening?(appId: string): Promise<void>;
}
