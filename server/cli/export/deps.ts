import type { openImportedMedia } from '#features/media/index.ts';
import type { Database } from '#platform/database.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { Where } from '../import/items.ts';
import { FULL, type Report } from '../import/report.ts';
import type { Source } from '../import/source.ts';
import type { LineKind, Lines } from './format.ts';
import type { IdsHere } from './ids-here.ts';

/** All that is counted when an export is read back, and what becomes of it. */
export const BROUGHT = {
  'new people': 'accounts with their ids, without a password: a link for a new one opens them',
  'new bots': 'bots with their ids; they need new keys',
  'accounts of people who left': 'accounts that only name the author of messages',
  'people with an account here': 'their account, found by the address; it stands for the one in the export',
  'accounts that are here': 'they stay as they are',
  'usernames that are taken': 'the account has none',
  applications: 'applications without secrets: their owners make new ones',
  'applications that are here': 'they stay as they are',
  groups: 'groups and lists with their members and roles',
  'groups above MAX_GROUP_MEMBERS': FULL,
  'groups that are here': 'they stay as they are',
  messages: 'messages with their ids and times',
  'messages that are here': 'they stay as they are',
  'messages of conversations deleted here': 'left out',
  'quotes of missing messages': 'messages without a quote',
  files: 'uploads with their ids, which count for nobody’s limit',
  'files that are missing': 'links to them lead nowhere, as they did',
  stories: 'stories',
  'stories that are here': 'they stay as they are',
} as const;

export type Brought = keyof typeof BROUGHT;

/** A line of an export, and its place. */
export interface Read<K extends LineKind = LineKind> {
  line: Lines[K];
  where: Where;
}

/** Dependencies of reading an export back. */
export interface BringDeps extends Pick<Platform, 'clock' | 'config' | 'random' | 'keyring' | 'live'> {
  db: Database;
  shards: Shards;
  source: Source;
  report: Report<Brought>;
  media: ReturnType<typeof openImportedMedia>;
  ids: IdsHere;
  /** The files that this import has looked at. */
  kept: Set<string>;
  matchesUnconfirmed: boolean;
  isDry: boolean;
}
