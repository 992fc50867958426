/** A column whose bytes are sealed: where it is, and what each ciphertext is bound to. */
export interface SealedColumn {
  table: string;
  key: readonly string[];
  column: string;
  keyIdColumn: string;
  /** Columns of the key and constant words, separated by colons. */
  rowId: string;
  /** Where a ciphertext is bound to the name of another table. */
  context?: string;
}

function column(table: string, name: string, key: readonly string[], rowId: string): SealedColumn {
  return { table, key, column: name, keyIdColumn: `${name}_key_id`, rowId };
}

/**
 * All that the database holds sealed. A test demands that every column named `…_key_id` is here, and rotates rows
 * that the features wrote: a wrong context does not open.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  column('messages', 'body', ['bucket', 'conversation_id', 'msg_id'], 'msg_id'),
  // As in the table from which they were copied.
  {
    ...column('held_messages', 'body', ['bucket', 'conversation_id', 'msg_id', 'version'], 'msg_id'),
    context: 'messages',
  },
  column('reactions', 'body', ['bucket', 'conversation_id', 'msg_id'], 'msg_id'),
  column('deliveries', 'body', ['bucket', 'delivery_id'], 'delivery_id'),
  // As in the table where they were before, from which they are moved.
  { ...column('events', 'body', ['bucket', 'delivery_id'], 'delivery_id'), context: 'deliveries' },
  column('event_attempts', 'answer', ['bucket', 'delivery_id', 'seq'], 'delivery_id:seq'),
  column('drafts', 'body', ['account_id', 'conversation_id'], 'account_id:conversation_id'),
  column('reports', 'body', ['account_id', 'report_id'], 'report_id'),
  column('polls', 'voter_secret', ['bucket', 'msg_id'], 'msg_id'),
  column('story_elements', 'body', ['account_id', 'element_id'], 'element_id'),
  column('applications', 'webhook_secret', ['app_id'], 'app_id:webhook_secret'),
  column('applications', 'previous_webhook_secret', ['app_id'], 'app_id:previous_webhook_secret'),
  column('applications', 'sealed_webhook_url', ['app_id'], 'app_id:sealed_webhook_url'),
  column('alert_contacts', 'target', ['app_id', 'contact_id'], 'contact_id'),
  column(
    'idempotency_keys',
    'answer',
    ['account_id', 'client_id', 'idempotency_key'],
    'account_id:client_id:idempotency_key',
  ),
  column('two_factor_secrets', 'secret', ['account_id'], 'account_id'),
  column('invite_links', 'token', ['account_id'], 'account_id'),
  column('dialogues', 'state', ['bucket', 'conversation_id'], 'conversation_id'),
  column('push_devices', 'subscription', ['account_id', 'device_id'], 'account_id:device_id'),
  column('service_keys', 'secret', ['name'], 'name'),
  column('sign_in_providers', 'client_secret', ['provider_id'], 'provider_id'),
  column('media', 'file_name', ['media_id'], 'media_id'),
];
