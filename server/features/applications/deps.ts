import type { Accounts } from '#features/accounts/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { ExtensionsInUse } from './extensions/in-use.ts';
import type { ApplicationHook } from './hook.ts';
import type { RequestRecorder } from './monitoring/recorder.ts';

/** Dependencies of applications, their credentials, teams and monitoring. */
export interface ApplicationDeps extends Platform {
  accounts: Accounts;
  /** Of dependent features, which are created later; complete before the first request. */
  hooks: readonly ApplicationHook[];
  extensionsInUse: ExtensionsInUse;
  recorder: RequestRecorder;
}
