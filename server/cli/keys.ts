import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { rotateSigningKeys } from '#features/oauth/index.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { formatKey, KEY_BYTES, type Keyring, parseKeys } from '#platform/crypto/keyring.ts';
import { KEY_LOOK_MS, keyFile, loadKeyring, replaceKeys } from '#platform/crypto/master-keys.ts';
import type { Database } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { UsageError } from '../../sdk/cli/kit.ts';
import type { Command, CommandDeps } from './command.ts';
import { openServerDatabase } from './database.ts';
import { openInstallation, openProvenKeyring } from './installation.ts';
import { countSealedWith, opensAnything, type Resealed, resealColumn } from './keys/reseal.ts';
import { SEALED_COLUMNS } from './keys/sealed-columns.ts';

const FIRST_KEY_ID = 1;
/**
 * Long enough for every running process to have read the new key and to have finished the work in progress.
 */
const SETTLING_MS = 60_000;

export const keyCommands: readonly Command[] = [
  {
    name: 'keys new',
    about: 'print a new first encryption key; without it no message can be read, so keep a copy',
    async run({ random }) {
      return formatKey(FIRST_KEY_ID, random.bytes(KEY_BYTES)).trimEnd();
    },
  },
  {
    name: 'keys rotate',
    about: 'add an encryption key and re-encrypt everything with it, while the server runs',
    details: [
      'Adds the key to MASTER_KEYS_FILE or DATA_DIR/master.keys, waits until running servers have read it, and encrypts',
      'every row again. After an interruption, run it again to continue. The old key stays until "keys retire"; older',
      'backups always need it. With several machines, run it with --add-only first and copy the file to each of them.',
    ].join('\n'),
    flags: { 'add-only': 'only add the key to the file' },
    async run(deps, { flags }) {
      const config = readConfig(deps.environment);
      await using opened = await openServerDatabase(config);
      const added = await addKey(deps, config);
      if (flags.has('add-only')) {
        if (added === undefined)
          throw new Error(
            'a rotation is in progress: its key is already in the file; if it is complete, retire the earlier key first',
          );
        return { text: `key ${added} is in the file; back it up`, data: { added } };
      }
      const keyring = await openProvenKeyring(deps, config, opened.db);
      if (added !== undefined) {
        deps.print(`added key ${added}: back up the file now; running servers read the key within seconds`);
        await pause(2 * KEY_LOOK_MS, undefined, { signal: deps.signal });
      }
      const { resealed, unreadable } = await resealAll(deps, opened.db, keyring);
      const { activeKeyId } = keyring;
      if (added === undefined && resealed === 0)
        throw new Error(
          `no key was added, and nothing was to be encrypted again: key ${activeKeyId} is from a rotation whose earlier key ` +
            'was never retired; for another key, first run "keys retire" for the earlier one',
        );
      return {
        text:
          unreadable === 0
            ? `encrypted ${resealed} rows again: everything now uses key ${activeKeyId}`
            : `encrypted ${resealed} rows again with key ${activeKeyId}; ${unreadable} cannot be read and were left ` +
              'as they are: "doctor" names them',
        data: { keyId: activeKeyId, added: added !== undefined, resealed, unreadable },
      };
    },
  },
  {
    name: 'keys retire',
    parameters: ['<keyId>'],
    about: 'remove an old encryption key from the file once nothing in the database needs it',
    details: 'Keep the key with the backups made while it was in use: they need it.',
    async run(deps, { args: [text = ''] }) {
      const keyId = Number(text);
      if (!Number.isInteger(keyId)) throw new UsageError('<keyId> must be the number of a key');
      const config = readConfig(deps.environment);
      await using opened = await openServerDatabase(config);
      await retireKey(deps, opened.db, config, keyId);
      return { text: `key ${keyId} is retired`, data: { retired: keyId } };
    },
  },
  {
    name: 'keys rotate-signing',
    about: 'add a key that signs the ID tokens of OpenID Connect, while the server runs',
    details: [
      'The new key is published at once and signs 10 minutes later, when every client can have fetched it. Earlier keys stay',
      'published until every token that they signed has expired. If a key may have leaked, use --at-once: earlier keys',
      'are removed, the new one signs within 10 seconds, and clients refuse old tokens once they fetch the keys again.',
    ].join('\n'),
    flags: { 'at-once': 'remove earlier keys now' },
    async run(deps, { flags }) {
      await using opened = await openInstallation(deps);
      const isAtOnce = flags.has('at-once');
      const { kid, removed } = await rotateSigningKeys({ ...deps, ...opened }, { isAtOnce });
      const text = isAtOnce
        ? `key ${kid} signs now; ${removed} earlier keys removed`
        : `key ${kid} is published, and signs in 10 minutes`;
      return { text, data: { kid, removed } };
    },
  },
];

/** A new key, unless the file has one from a rotation that is not complete. */
async function addKey({ random }: CommandDeps, config: Config): Promise<number | undefined> {
  const path = keyFile(config);
  if (path === undefined) {
    if (parseKeys(config.masterKeys ?? '').size > 1) return undefined;
    throw new Error(
      'the keys are in MASTER_KEYS: add one there with the next number ("keys new" prints one), restart every ' +
        'process, and run this again; with MASTER_KEYS_FILE no restart is needed',
    );
  }
  const keys = await readKeyFile(path);
  if (keys.size > 1) return undefined;
  const added = Math.max(...keys.keys()) + 1;
  await replaceKeys(path, new Map([...keys, [added, random.bytes(KEY_BYTES)]]));
  return added;
}

/**
 * Repeats until a whole round finds nothing: rows sealed with the old key meanwhile are in the next round.
 */
async function resealAll({ print, signal }: CommandDeps, db: Database, keyring: Keyring): Promise<Resealed> {
  for (let total = 0; ; ) {
    const round = { resealed: 0, unreadable: 0 };
    for (const column of SEALED_COLUMNS) {
      const { resealed, unreadable } = await resealColumn({ db, keyring, signal }, column);
      if (resealed > 0) print(`${column.table}.${column.column}: ${resealed} rows`);
      round.resealed += resealed;
      round.unreadable += unreadable;
    }
    total += round.resealed;
    if (round.resealed === 0) return { resealed: total, unreadable: round.unreadable };
  }
}

async function retireKey(deps: CommandDeps, db: Database, config: Config, keyId: number): Promise<void> {
  const path = keyFile(config);
  const keys = path === undefined ? parseKeys(config.masterKeys ?? '') : await readKeyFile(path);
  const newest = Math.max(...keys.keys());
  if (!keys.has(keyId)) throw new Error(`there is no key ${keyId}`);
  if (keyId === newest) throw new Error(`key ${keyId} is in use: rotate first`);
  const [proof] = await db<{ createdAt: number }[]>`
    select created_at from encryption_keys where key_id = ${newest}`;
  if (!proof || deps.clock.now() - proof.createdAt < SETTLING_MS)
    throw new Error(`key ${newest} is younger than a minute: a server may still seal with key ${keyId}`);
  const keyring = await loadKeyring(config, { ...deps, log: createLog('silent') });
  for (const column of SEALED_COLUMNS) {
    const count = await countSealedWith(db, column, keyId);
    if (count > 0 && (await opensAnything({ db, keyring }, column, keyId)))
      throw new Error(`${count} rows of ${column.table} need key ${keyId}: run "keys rotate" first`);
  }
  await db.begin((tx) => tx`delete from encryption_keys where key_id = ${keyId}`);
  if (path === undefined) return;
  await replaceKeys(path, new Map([...keys].filter(([id]) => id !== keyId)));
}

/** @throws with a line for the operator */
async function readKeyFile(path: string): Promise<Map<number, Buffer>> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Error(`the encryption keys in ${path} cannot be read: ${error.message}`);
  });
  return parseKeys(text);
}
