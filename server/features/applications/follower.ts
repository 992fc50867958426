import type { Tx } from '#platform/database.ts';

/**
 * A feature below this one that has its share in what happens to an application. The surface, which may import them
 * all, hands the followers in.
 */
export interface ApplicationFollower {
  /** In the transaction that renames it. */
  renamed?(tx: Tx, application: { appId: string; name: string }): Promise<void>;
  /** In the transaction that deletes it. */
  deleted?(tx: Tx, application: { appId: string; at: number }): Promise<void>;
  /** After the commit that deleted it, before the owner is told. */
  afterDeletion?(appId: string): Promise<void>;
  /** In a transaction that may let it take events again: reactivated, or a new webhook URL. */
  reopened?(tx: Tx, application: { appId: string; at: number }): Promise<void>;
  /** After that commit, before the owner is told. */
  afterReopening?(appId: string): Promise<void>;
}
