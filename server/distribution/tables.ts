/**
 * The distribution column of every table, and the tables whose rows are co-located when they have the same key
 * (docs/operate/scaling.md). Referenced tables come before those that reference them. A test holds it to the schema.
 */
export const DISTRIBUTION = {
  conversation: {
    key: 'bucket',
    tables: [
      'messages',
      'reactions',
      'pinned_messages',
      'conversation_retention',
      'held_messages',
      'contacts',
      'groups',
      'members',
      'group_links',
      'removed_members',
      'former_members',
      'join_requests',
      'polls',
      'poll_votes',
      'deliveries',
      'events',
      'event_attempts',
      'event_queue',
      'bot_inbox',
      'dialogues',
      'shown_secrets',
      'running_processes',
    ],
  },
  account: {
    key: 'account_id',
    tables: [
      'accounts',
      'sessions',
      'account_conversations',
      'drafts',
      'hidden_messages',
      'mentions',
      'reports',
      'account_applications',
      'idempotency_keys',
      'stories',
      'story_elements',
      'story_views',
      'connected_applications',
      'account_grants',
      'application_calls',
      'passkeys',
      'two_factor_secrets',
      'recovery_codes',
      'used_tickets',
      'invite_links',
      'media_usage',
      'built_in_bots',
      'test_people',
      'account_teams',
      'push_devices',
      'notification_settings',
      'operators',
      'identities',
      'provider_sessions',
    ],
  },
  application: {
    key: 'app_id',
    tables: [
      'applications',
      'api_keys',
      'bots',
      'redirect_uris',
      'application_extensions',
      'incoming_webhooks',
      'application_grants',
      'event_feeds',
      'alert_contacts',
      'alerts',
      'alert_notices',
      'api_requests',
      'usage_counts',
      'audit_entries',
      'open_breakers',
      'event_tasks',
      'teammates',
      'team_invitations',
      'openid_clients',
      'logout_redirect_uris',
      'logout_notices',
    ],
  },
  family: { key: 'family_id', tables: ['grants', 'decided_consents', 'openid_grants'] },
  unique: { key: 'value', tables: ['unique_names', 'sign_up_invitations'] },
  media: { key: 'media_id', tables: ['media', 'media_uses'] },
} as const;

/** Small and rarely written, since a write needs every node: copied to each of them. */
export const REFERENCE_TABLES = [
  'application_versions',
  'encryption_keys',
  'last_backup',
  'schema_migrations',
  'service_keys',
  'sign_in_providers',
] as const;

/** Small, and also written while a worker is unreachable: kept on the coordinator, where every node can reach them. */
export const COORDINATOR_TABLES = [
  'announcements',
  'delivery_workers',
  'maintenance',
  'noted_topics',
  'operator_acts',
  'provider_logouts',
] as const;

export interface DistributedTable {
  table: string;
  key: string;
  group: string;
  /** The table to co-locate it with; undefined for the first of the group. */
  beside: string | undefined;
}

/** Every distributed table, in an order in which they can be created and filled. */
export function distributedTables(): DistributedTable[] {
  return Object.entries(DISTRIBUTION).flatMap(([group, { key, tables }]) =>
    tables.map((table, i) => ({ table, key, group, beside: i === 0 ? undefined : tables[0] })),
  );
}

/** The tables of the schema. */
export function allTables(): string[] {
  return [...distributedTables().map(({ table }) => table), ...REFERENCE_TABLES, ...COORDINATOR_TABLES];
}

/** The statement that distributes a new table; undefined for a partition, which follows its parent. */
export function placeTable(name: string): string | undefined {
  if ((REFERENCE_TABLES as readonly string[]).includes(name))
    return `select create_reference_table('${name}')`;
  if ((COORDINATOR_TABLES as readonly string[]).includes(name))
    return `select citus_add_local_table_to_metadata('${name}')`;
  const known = distributedTables().find(({ table }) => table === name);
  return (
    known &&
    `select create_distributed_table('${name}', '${known.key}', colocate_with => '${known.beside ?? 'none'}')`
  );
}
