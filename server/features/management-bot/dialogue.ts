import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';

/** The commands that change one bot, which the person chooses first. */
export type BotTask = 'token' | 'setdescription' | 'setcommands' | 'setwebhook';

/** The input that the management bot waits for. */
export type Step =
  | { kind: 'name' }
  | { kind: 'username'; name: string; suggestions: string[] }
  /** The applications in the order in which they were shown, so that a number means what the person saw. */
  | { kind: 'choice'; task: BotTask; appIds: string[] }
  | { kind: 'renewal'; appId: string }
  | { kind: 'description'; appId: string }
  | { kind: 'commands'; appId: string }
  | { kind: 'webhook'; appId: string }
  | { kind: 'webhook-secret'; appId: string }
  | { kind: 'done' };

/** The state of a dialogue. Times are those of the person's messages. */
export interface Dialogue {
  step?: Step | undefined;
  /** The start of the current minute, and the number of messages in it. */
  minute: { from: number; count: number };
  /** When bots, and when keys and secrets, were created in the last hour. */
  made: { bots: number[]; secrets: number[] };
}

export interface DialogueKey {
  bucket: number;
  conversationId: string;
}

const FORGOTTEN_AFTER_MS = 3_600_000;

/** The stored dialogue; a new one after an hour, or if the stored one cannot be read. */
export async function readDialogue(
  tx: Tx,
  { keyring }: Platform,
  key: DialogueKey,
  at: number,
): Promise<Dialogue> {
  const [row] = await tx<{ state: Buffer; stateKeyId: number }[]>`
    select state, state_key_id from dialogues
    where bucket = ${key.bucket} and conversation_id = ${key.conversationId} and expires_at > ${at}`;
  const known =
    row && keyring.openIfReadable(contextOf(key), { keyId: row.stateKeyId, ciphertext: row.state });
  if (!known) return { minute: { from: at, count: 0 }, made: { bots: [], secrets: [] } };
  return JSON.parse(known.toString());
}

export async function saveDialogue(
  tx: Tx,
  { keyring }: Platform,
  key: DialogueKey,
  { dialogue, at }: { dialogue: Dialogue; at: number },
): Promise<void> {
  const { bucket, conversationId } = key;
  const { ciphertext: state, keyId } = keyring.seal(contextOf(key), Buffer.from(JSON.stringify(dialogue)));
  const row = { bucket, conversationId, state, stateKeyId: keyId, expiresAt: at + FORGOTTEN_AFTER_MS };
  await tx`
    insert into dialogues ${tx(row)}
    on conflict (bucket, conversation_id) do update
    set state = excluded.state, state_key_id = excluded.state_key_id, expires_at = excluded.expires_at`;
}

function contextOf({ conversationId }: DialogueKey) {
  return { table: 'dialogues', rowId: conversationId };
}
