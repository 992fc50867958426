import type { Tx } from '#platform/database.ts';

/**
 * The lifecycle hook of a feature that holds data of people: its share in the export of a person's data, and
 * in the end of an account. The composition, which knows all features, hands the hooks in.
 */
export interface AccountHook {
  /** The data it holds of a person, by the names of its sections in the document. */
  sections?: Record<string, (accountId: string) => AsyncIterable<object>>;
  /** After the commit of another name, picture, or way to show its texts; of a bot, of its end, too. */
  profileChanged?(userId: string): Promise<void>;
  /** After the commit of whether others see how far the person has read. */
  receiptsChanged?(accountId: string): Promise<void>;
  /** In the transaction that suspends a person until then, or lifts the suspension: null. */
  suspensionChanged?(tx: Tx, suspension: { accountId: string; until: number | null }): Promise<void>;
  /** Before the transaction that deletes the account: what takes transactions of its own. May come more than once. */
  beforeDeletion?(accountId: string): Promise<void>;
  /** In the transaction that deletes it, which holds the account. */
  deleted?(tx: Tx, account: { accountId: string; at: number }): Promise<void>;
  /** After the commit that deleted it. */
  afterDeletion?(accountId: string): Promise<void>;
}
