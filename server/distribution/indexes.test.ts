import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from '#testing/connection.ts';
import { createTestDatabase } from '#testing/database.ts';
import { driveHotFlows, driveStreams } from '#testing/hot-flows.ts';
import { explain, nodesOf, recordStatements, type StatementRecorder } from '#testing/statement-recorder.ts';
import { createWorld } from '#testing/world.ts';

/** Secondary indexes that no hot statement needs, and what needs them. */
const NEEDED_BY: Record<string, string> = {
  accounts_name: "operators' search for people",
  alert_notices_open: 'findDueNotices, every 10 s',
  api_requests_age: 'deleteRequestsBefore, expiry',
  applications_clear_webhook_url: 'requireNothingOf01, the first start after version 0.2',
  applications_name: "operators' search for applications",
  audit_entries_age: 'deleteAuditEntriesBefore, expiry',
  bot_inbox_due: 'the management bot, which looks for what is due',
  contacts_blocked: "a person's own list of the blocked",
  decided_consents_age: 'deleteDecisionsBefore, expiry',
  deliveries_ended: 'version 0.2',
  deliveries_failed: 'version 0.2',
  deliveries_feed: 'version 0.2',
  deliveries_by_application: 'version 0.2',
  deliveries_open: 'version 0.2',
  deliveries_unalerted: 'version 0.2',
  deliveries_unplaced: 'version 0.2',
  dialogues_expiry: 'expiry',
  event_attempts_age: 'findUnfinished, after the crash of a worker',
  event_attempts_other_age: 'deleteAttemptsBefore, expiry',
  event_queue_ended: 'deleteEndedBefore, expiry',
  event_queue_failed: 'updateReplayedSince, the replay of all that failed',
  event_queue_unalerted: 'findUnalerted, every 10 s',
  events_age: 'findUnfinished, after the crash of a worker',
  events_other_age: 'deleteEventsBefore, expiry',
  events_placed: 'the event log, of those that were fetched',
  former_members_by_account:
    'selectFormerGroups and deleteFormerMember: the export and the deletion of an account',
  grants_ended: 'selectEndedBefore, expiry',
  group_links_by_group: 'selectOpenLinks, and deleteLinksBy whenever somebody leaves a group',
  idempotency_keys_age: 'expiry',
  identities_by_external_id: 'findAnnounced, the first sign-in of somebody whom a provider has announced',
  identities_by_user_name: 'selectProvisioned: providers look for a person before each change',
  join_requests_by_account: 'selectGroupsAsked, when an account is deleted or exported',
  logout_notices_due: 'logout tokens that are to be posted',
  media_unused: 'removeUnusedMedia, expiry',
  messages_quoting: 'the expiry of messages: the foreign key of quotes',
  operator_acts_order: 'the trail of what operators did',
  operator_acts_subject: 'the decision on a report',
  provider_sessions_by_provider: 'findProviderSessions, when a provider signs somebody out',
  removed_members_by_account:
    'deleteRemovalsOf and selectRemovalsOf: the deletion and the export of an account',
  reports_about: "selectReportsAbout, the operators' console",
  reports_by_state: "the operators' queue of reports",
  sessions_expiry: 'selectAccountsWithExpiredSessions, expiry',
  shown_secrets_due: 'the taking away of shown secrets',
  sign_in_providers_issuer_key: 'insertProvider, which takes each issuer once',
  stories_age: 'removeExpiredStories, expiry',
  usage_counts_age: 'deleteCountsBefore, expiry',
  story_views_by_owner: 'selectViewers: who has seen a story',
  used_tickets_expiry: 'removeExpiredTickets, expiry',
};

/** A row for each process, or for each command line action of the last hour: read by sequential scan. */
const SMALL_TABLES = ['noted_topics', 'running_processes'];

test('every hot statement finds its rows by an index, and no index is unused', async () => {
  const database = await createTestDatabase();
  let recorder: StatementRecorder | undefined;
  await using world = await createWorld(
    {},
    {
      database,
      watch(db) {
        recorder = recordStatements(db);
        return recorder.db;
      },
    },
  );
  assert.ok(recorder);
  await driveHotFlows(world, recorder.enter);
  recorder.enter('streams');
  await driveStreams(world);
  recorder.enter(undefined);
  const statements = recorder.statements();

  // A sequential scan is cheaper on a few rows; this test asks whether an index can be used at all.
  await using connection = new Connection(database.url);
  const { db } = connection;
  const used = new Set<string>();
  const unindexed: string[] = [];
  await db`set enable_seqscan = off`;
  for (const statement of statements) {
    for (const node of nodesOf(await explain(db, statement))) {
      if (node['Index Name'] !== undefined) used.add(node['Index Name']);
      if (node['Node Type'] === 'Seq Scan' && !SMALL_TABLES.includes(node['Relation Name'] ?? ''))
        unindexed.push(`${statement.flow}: ${statement.text}`);
    }
  }
  assert.deepEqual(unindexed, []);
  const partitioned = await db<{ name: string }[]>`
    select distinct whole.relname::text as name
    from pg_inherits join pg_class part on part.oid = inhrelid join pg_class whole on whole.oid = inhparent
    where part.relname = any(${[...used]})`;
  for (const { name } of partitioned) used.add(name);
  const indexes = await db<{ name: string }[]>`
    select c.relname::text as name
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and not i.indisprimary and not c.relispartition order by 1`;
  const idle = indexes.map(({ name }) => name).filter((name) => !used.has(name));
  assert.deepEqual(idle, Object.keys(NEEDED_BY).sort());
});
