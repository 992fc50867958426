import type { ApplicationDeps } from '../deps.ts';

/** Tells open streams of an application to check whether they are still authorized. Call it after the commit. */
export function announceRevocation({ live }: ApplicationDeps, appId: string): void {
  live.publish(appId, { type: 'credential.revoked', data: {} });
}
