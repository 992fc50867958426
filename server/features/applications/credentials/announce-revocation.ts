import type { Platform } from '#platform/platform.ts';

/** Tells open streams of an application to check whether they are still authorized. Call it after the commit. */
export function announceRevocation({ live }: Pick<Platform, 'live'>, appId: string): void {
  live.publish(appId, { type: 'credential.revoked', data: {} });
}
