import { hash } from 'node:crypto';
import type { IdKind } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { Batcher } from '../batch.ts';
import { currentTurn } from '../concurrency/turn.ts';
import type { Sealed } from '../crypto/keyring.ts';
import type { Db, Tx } from '../database.ts';
import { ApiError, alreadyExists, invalidArgument } from '../errors.ts';
import { submitById } from '../partitioning/shards.ts';
import type { Platform } from '../platform.ts';
import { type SuccessEnvelope, success } from './envelope.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'newId' | 'shards'>;

const KEPT_MS = LIMITS.idempotencyHours * 3_600_000;

/** The caller of a repeatable request, the request, and the kind of object that it creates. */
export interface Repeatable {
  accountId: string;
  clientId: string;
  key: string | string[] | undefined;
  /** Method, path and body: a key identifies one such request. */
  request: readonly [method: string, path: string, body: unknown];
  idKind: IdKind;
}

interface RequestAtHand {
  method: string;
  route: { url?: string | undefined };
  params: unknown;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

/** Describes a creating request of this account through this client, for retries. */
export function repeatable(
  { method, route: { url = '' }, params, headers, body }: RequestAtHand,
  who: Pick<Repeatable, 'accountId' | 'clientId'>,
  idKind: IdKind,
): Repeatable {
  const path = url.replaceAll(/:(\w+)/g, (_, name) => (params as Record<string, string>)[name] as string);
  return { ...who, key: headers['idempotency-key'], request: [method, path, body], idKind };
}

/**
 * Creates the object with the given ID. `isResumed` means that an earlier attempt with the same ID may have succeeded
 * unnoticed.
 */
export type Create<T> = (id: string, isResumed: boolean) => Promise<T>;

/**
 * Runs creations once per `Idempotency-Key` (decisions: Beyond the contract). The key reserves the object's ID before the
 * creation, and the object's primary key ensures that it is created once, however many attempts run concurrently or are
 * interrupted. A refused creation releases its key, but not the ID for the same request: a concurrent attempt may still use it.
 *
 * The keys of concurrent requests are written by one statement, and so are their answers.
 */
export function creatingOnce(deps: Deps) {
  const { db, clock, keyring, shards } = deps;
  const reservations = new Batcher((asked: Reservation[]) => reserve(deps, asked));
  const answers = new Batcher((given: Answered[]) => saveAnswers(deps, given));

  /** Uses the ID and the time of the key's first request. */
  async function createReserved<T>(reservation: Reservation, create: Create<T>): Promise<T> {
    const row = { table: 'accounts', id: reservation.accountId } as const;
    const ownId = reservation.reservedId;
    const reservedId = await submitById(shards, reservations, reservation, row);
    if (reservedId !== undefined) reservation.reservedId = reservedId;
    else {
      const known = await findReservation(db, reservation);
      if (known && !known.requestHash.equals(reservation.requestHash)) {
        throw alreadyExists('idempotency.other-request');
      }
      if (known) {
        reservation.reservedId = known.reservedId;
        // Negative if it has been released since: this request takes it again.
        reservation.createdAt = Math.abs(known.createdAt);
      }
      const answer =
        known?.answer &&
        keyring.openIfReadable(contextOf(reservation), {
          keyId: known.answerKeyId as number,
          ciphertext: known.answer,
        });
      if (answer) return JSON.parse(answer.toString());
      // No stored response, or an unreadable one: resumes the creation, which finds existing objects.
    }
    try {
      const answer = await create(reservation.reservedId, reservation.reservedId !== ownId);
      // Batches write for several requests, and do not note it of each.
      const turn = currentTurn();
      if (turn) turn.hasWritten = true;
      const sealed = keyring.seal(contextOf(reservation), Buffer.from(JSON.stringify(answer)));
      await submitById(shards, answers, { ...reservation, ...sealed }, row);
      return answer;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500)
        await db.write((tx) => releaseReservation(tx, reservation));
      throw error;
    }
  }

  /**
   * @param message of the response; retries get the first response, including its timestamp
   * @throws ApiError 400 for a malformed key, 409 when the key belongs to another request
   */
  return async <T>(
    repeatable: Repeatable,
    message: string,
    create: Create<T>,
  ): Promise<SuccessEnvelope<T>> => {
    const { key, idKind } = repeatable;
    if (key === undefined) {
      const data = await create(deps.newId(idKind), false);
      return success(clock.now(), message, data);
    }
    const reservation = toReservation(deps, repeatable, key);
    const data = await createReserved(reservation, create);
    return success(reservation.createdAt, message, data);
  };
}

interface Reservation {
  accountId: string;
  clientId: string;
  /** In its stored form: a hash. */
  idempotencyKey: string;
  requestHash: Buffer;
  reservedId: string;
  createdAt: number;
}

function toReservation(
  deps: Deps,
  { accountId, clientId, request, idKind }: Repeatable,
  key: string | string[],
): Reservation {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidArgument('Idempotency-Key', 'idempotency-key');
  }
  return {
    accountId,
    clientId,
    // Only its hash is stored, since a key may contain a name or a secret.
    idempotencyKey: hash('sha256', `${accountId}:${clientId}:${key}`, 'base64url'),
    // Includes the key, since a short body could be guessed from its hash alone.
    requestHash: hash('sha256', JSON.stringify([key, ...request]), 'buffer'),
    reservedId: deps.newId(idKind),
    createdAt: deps.clock.now(),
  };
}

function contextOf({ accountId, clientId, idempotencyKey }: Reservation) {
  return { table: 'idempotency_keys', rowId: `${accountId}:${clientId}:${idempotencyKey}` };
}

/**
 * Reserves IDs, where the key is new, or expired or released and may be reused; the same request gets the ID that it released.
 *
 * @returns the ID of each, undefined if the key is in use
 */
async function reserve({ db, shards }: Deps, asked: readonly Reservation[]): Promise<(string | undefined)[]> {
  const rows = firstOfEachKey(asked);
  const source = shards.isDistributed
    ? db`${db(rows, 'accountId', 'clientId', 'idempotencyKey', 'requestHash', 'reservedId', 'createdAt')}`
    : db`(account_id, client_id, idempotency_key, request_hash, reserved_id, created_at)
      select * from ${asTable(db, rows)}`;
  const reserved = await db.write(
    (tx) => tx<Pick<Reservation, 'idempotencyKey' | 'reservedId'>[]>`
      insert into idempotency_keys as known ${source}
      on conflict (account_id, client_id, idempotency_key) do update
      set request_hash = excluded.request_hash, created_at = excluded.created_at, answer = null, answer_key_id = null,
        reserved_id = case when known.created_at < 0 and known.request_hash = excluded.request_hash
          then known.reserved_id else excluded.reserved_id end
      where known.created_at <= excluded.created_at - ${KEPT_MS}
      returning idempotency_key, reserved_id`,
  );
  const idOf = new Map(reserved.map(({ idempotencyKey, reservedId }) => [idempotencyKey, reservedId]));
  const first = new Set(rows);
  return asked.map((one) => (first.has(one) ? idOf.get(one.idempotencyKey) : undefined));
}

/** A statement writes each row once; two of them do so in the same order, so that neither waits for the other. */
function firstOfEachKey<R extends Reservation>(all: readonly R[]): R[] {
  const first = new Map(all.toReversed().map((one) => [one.idempotencyKey, one]));
  return [...first.values()].sort((a, b) => (a.idempotencyKey < b.idempotencyKey ? -1 : 1));
}

interface KnownReservation extends Pick<Reservation, 'requestHash' | 'reservedId' | 'createdAt'> {
  answer: Buffer | null;
  answerKeyId: number | null;
}

async function findReservation(
  db: Db,
  { accountId, clientId, idempotencyKey }: Reservation,
): Promise<KnownReservation | undefined> {
  const [row] = await db<KnownReservation[]>`
    select request_hash, reserved_id, created_at, answer, answer_key_id
    from idempotency_keys
    where account_id = ${accountId} and client_id = ${clientId} and idempotency_key = ${idempotencyKey}`;
  return row;
}

/** The sealed answer to the first request with a key. */
type Answered = Reservation & Sealed;

/** Stores answers. A key is taken again if a concurrent refused attempt has just released it. */
async function saveAnswers({ db, shards }: Deps, given: readonly Answered[]): Promise<undefined[]> {
  const rows = firstOfEachKey(given).map(({ ciphertext: answer, keyId: answerKeyId, ...row }) => ({
    ...row,
    answer,
    answerKeyId,
  }));
  const source = shards.isDistributed
    ? db`${db(rows, 'accountId', 'clientId', 'idempotencyKey', 'requestHash', 'reservedId', 'createdAt', 'answer', 'answerKeyId')}`
    : db`(account_id, client_id, idempotency_key, request_hash, reserved_id, created_at, answer, answer_key_id)
      select * from ${asTable(db, rows, db`, ${rows.map(({ answer }) => answer)}::bytea[], ${rows.map(({ answerKeyId }) => answerKeyId)}::smallint[]`)}`;
  await db.write(
    (tx) => tx`
      insert into idempotency_keys ${source}
      on conflict (account_id, client_id, idempotency_key) do update
      set answer = excluded.answer, answer_key_id = excluded.answer_key_id, created_at = excluded.created_at
      where idempotency_keys.reserved_id = excluded.reserved_id`,
  );
  return given.map(() => undefined);
}

function asTable(db: Db, rows: readonly Reservation[], further = db``) {
  return db`unnest(
    ${rows.map(({ accountId }) => accountId)}::text[], ${rows.map(({ clientId }) => clientId)}::text[],
    ${rows.map(({ idempotencyKey }) => idempotencyKey)}::text[], ${rows.map(({ requestHash }) => requestHash)}::bytea[],
    ${rows.map(({ reservedId }) => reservedId)}::text[], ${rows.map(({ createdAt }) => createdAt)}::bigint[] ${further})`;
}

/** A negative time marks a released key. */
async function releaseReservation(
  tx: Tx,
  { accountId, clientId, idempotencyKey, reservedId }: Reservation,
): Promise<void> {
  await tx`
    update idempotency_keys set created_at = -created_at
    where account_id = ${accountId} and client_id = ${clientId} and idempotency_key = ${idempotencyKey}
      and reserved_id = ${reservedId} and answer is null and created_at > 0`;
}

/** Deletes expired keys, released ones as late as others; one step of the expiry worker. */
export async function removeExpiredIdempotencyKeys({
  db,
  clock,
}: Pick<Platform, 'db' | 'clock'>): Promise<number> {
  const before = clock.now() - KEPT_MS;
  const rows = await db.write(
    (tx) => tx`delete from idempotency_keys where created_at between ${-before} and ${before}`,
  );
  return rows.count;
}
