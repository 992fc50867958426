import type { RequestFilter, UsageQuery } from '#contract/applications/monitoring.ts';
import type { Platform } from '#platform/platform.ts';
import type { Owned } from '../service.ts';
import { findLatestRequests, findRequests, groupErrors, listRequests } from './api-log.ts';
import { showOverview } from './overview.ts';
import { RequestRecorder } from './recorder.ts';
import { findActivity, findKeysUsed, showUsage } from './usage.ts';

/** API log, usage and audit trail, including what this process has not stored yet. */
export function openMonitoring(platform: Platform) {
  const recorder = new RequestRecorder(platform);
  return {
    /** Records requests and deliveries. */
    recorder,
    async listRequests(own: Owned, filter: RequestFilter) {
      await recorder.flush();
      return listRequests(platform.db, own, filter);
    },
    /** The same for the application itself. */
    async listRequestsOf(appId: string, filter: RequestFilter) {
      await recorder.flush();
      return findRequests(platform.db, appId, filter);
    },
    findLatestRequests: (appId: string, page: { before?: string; limit: number }) =>
      findLatestRequests(platform.db, appId, page),
    async groupErrors(own: Owned) {
      await recorder.flush();
      return groupErrors(platform.db, own);
    },
    async showOverview(own: Owned) {
      await recorder.flush();
      return showOverview(platform, own);
    },
    async showUsage(own: Owned, query: UsageQuery) {
      await recorder.flush();
      return showUsage(platform, own, query);
    },
    findActivity: (appIds: string[], hours: number) => findActivity(platform, appIds, hours),
    /** When a key of each application was last used. */
    findKeysUsed: (appIds: string[]) => findKeysUsed(platform.db, appIds),
  };
}
