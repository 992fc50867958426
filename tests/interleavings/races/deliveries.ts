import assert from 'node:assert/strict';
import { queueHeld } from '#features/webhooks/delivery/held-queries.ts';
import { settleBatch } from '#features/webhooks/delivery/settle.ts';
import type { DueEvent, NewEvent, Settlement } from '#features/webhooks/queries.ts';
import { openBodyIfReadable, toHeld, toQueued } from '#features/webhooks/record-events.ts';
import type { World } from '#testing/world.ts';
import type { Arena } from '../arena.ts';
import { type Race, race } from '../race.ts';
import { pathOf } from './scenes.ts';

/** The worker that has the events of the first server in memory. */
const WORKER = 7;
const RETRY_MS = 30_000;

/** A message whose event that worker has in memory. */
async function setUp(arena: Arena) {
  const [server] = arena.servers as [World, ...World[]];
  server.memoryQueue.open({
    workerId: WORKER,
    until: Number.POSITIVE_INFINITY,
    owns: () => true,
    wake: () => {},
  });
  const ada = await arena.world.person();
  const bot = await arena.world.bot({ webhookUrl: 'https://example.com/hook' });
  const message = await arena.person(0, ada).writes(bot, 'hi');
  const [row] = await arena.world.db<NewEvent[]>`
    select bucket, delivery_id, app_id, type, msg_id, body, body_key_id, created_at, worker_id
    from events where app_id = ${bot.appId}`;
  assert.equal(row?.workerId, WORKER);
  return { ada, message, event: toHeld(row) };
}

async function settle(world: World, delivery: DueEvent, state: 'delivered' | 'retrying'): Promise<boolean> {
  const [at, attempt] = [world.clock.now(), delivery.attempts + 1];
  const entry =
    state === 'delivered'
      ? { attempt, at, status: 204 }
      : { attempt, at, status: 500, errorClass: 'status' as const };
  const nextAttemptAt = state === 'delivered' ? null : at + RETRY_MS;
  const settlement: Settlement = { delivery, state, attempts: attempt, nextAttemptAt, entry };
  return (await settleBatch(world, [settlement])).has(delivery.deliveryId);
}

/** Another worker takes the event over. Returns whether it is to be sent from the queue. */
async function takeOver({ db, shards }: World, event: DueEvent): Promise<boolean> {
  const { added } = await db.begin((tx) => queueHeld(tx, [toQueued(event)], shards));
  return added.length > 0;
}

/** What is left of an event. */
async function leftOf({ world }: Arena, { deliveryId }: Pick<DueEvent, 'deliveryId'>) {
  const [left] = await world.db<{ event: number; queued: number; delivered: number; attempts: number }[]>`
    select (select count(*)::integer from events where delivery_id = ${deliveryId}) as event,
      (select count(*)::integer from event_queue where delivery_id = ${deliveryId}) as queued,
      (select count(*)::integer from event_attempts where delivery_id = ${deliveryId} and attempt ->> 'status' = '204')
        as delivered,
      (select count(*)::integer from event_attempts where delivery_id = ${deliveryId}) as attempts`;
  return left as NonNullable<typeof left>;
}

function claimed(event: DueEvent): DueEvent {
  const { isHeld: _, ...queued } = event;
  return queued;
}

/** The owner of an event records its attempt, while another worker believes it dead. */
function settleAndTakeOver(state: 'delivered' | 'retrying'): Race {
  return race(
    {
      'an attempted event is not taken': [
        [
          /select event\.delivery_id, exists \([\s\S]*?\) as is_attempted/,
          'select event.delivery_id, false as is_attempted',
        ],
      ],
      ...(state === 'delivered' && {
        'a delivered event leaves the queue': [
          [/delete from event_queue as delivered using claimed\s+where/, '$& false and'],
        ],
      }),
    },
    async (arena) => {
      const { event } = await setUp(arena);
      const [owner, heir] = arena.servers as [World, World];
      let isSettled = false;
      let isTakenOver = false;
      return {
        works: [
          async () => {
            const wasTaken = isTakenOver;
            await settle(owner, event, state);
            isSettled = true;
            return wasTaken;
          },
          async () => {
            const wasSettled = isSettled;
            const isTaken = await takeOver(heir, event);
            isTakenOver = true;
            return { wasSettled, isTaken };
          },
        ],
        async check([wasTaken, taken]) {
          const { wasSettled, isTaken } = taken as { wasSettled: boolean; isTaken: boolean };
          const left = await leftOf(arena, event);
          assert.ok(left.queued + left.delivered > 0, 'the event is lost');
          assert.ok(
            !(wasTaken && left.queued && left.delivered),
            'it waits in the queue although it was delivered',
          );
          assert.equal(left.attempts, 1, 'the attempt is logged');
          assert.ok(!(wasSettled && isTaken), 'it is sent again although its attempt was recorded before');
        },
      };
    },
  );
}

export const DELIVERIES: Record<string, Race> = {
  'settle as delivered and take over': settleAndTakeOver('delivered'),
  'settle as failed and take over': settleAndTakeOver('retrying'),
  'two workers settle one claim': race(
    {
      'no other attempt was recorded since the claim': [
        [/and (settled|delivered)\.attempts = (said|claimed)\.\w+\s+and \1\.logged = \2\.\w+/, ''],
      ],
    },
    async (arena) => {
      const { event } = await setUp(arena);
      const [one, other] = arena.servers as [World, World];
      await takeOver(one, event);
      return {
        works: [
          () => settle(one, claimed(event), 'delivered'),
          () => settle(other, claimed(event), 'retrying'),
        ],
        async check(results) {
          assert.equal(results.filter(Boolean).length, 1, 'of two outcomes of one claim one counts');
          const left = await leftOf(arena, event);
          assert.equal(left.queued, results[0] ? 0 : 1);
          assert.equal(left.attempts, 1);
        },
      };
    },
  ),
  'take over and delete the message': race(
    { 'the lock of the event': [[/for key share of event/, '']] },
    async (arena) => {
      const { ada, message, event } = await setUp(arena);
      const heir = arena.servers[1] as World;
      const path = pathOf(message);
      return {
        works: [() => takeOver(heir, event), () => arena.person(0, ada).calls('DELETE', path)],
        async check(results) {
          assert.equal((results[1] as { status: number }).status, 200);
          const left = await leftOf(arena, event);
          assert.deepEqual(
            [left.event, left.queued],
            [0, 0],
            'the event of a deleted message is still to be sent',
          );
        },
      };
    },
  ),
  'settle and edit the message': race(
    {
      'an attempted event does not change': [
        [
          /and not exists \(\s*select from event_attempts made\s+where made\.bucket = (\$\d+) and [^)]*\)(\s+order by event\.delivery_id for update)/,
          'and $1::integer is not null$2',
        ],
      ],
    },
    async (arena) => {
      const { ada, message, event } = await setUp(arena);
      const owner = arena.servers[1] as World;
      let isSettled = false;
      return {
        works: [
          async () => {
            await settle(owner, event, 'delivered');
            isSettled = true;
          },
          async () => {
            const wasSettled = isSettled;
            const { status } = await arena
              .person(0, ada)
              .calls('PATCH', pathOf(message), { text: 'changed' });
            return { status, wasSettled };
          },
        ],
        async check([, edited]) {
          const { status, wasSettled } = edited as { status: number; wasSettled: boolean };
          assert.equal(status, 200);
          const [row] = await arena.world.db<Pick<NewEvent, 'body' | 'bodyKeyId'>[]>`
          select body, body_key_id from events where delivery_id = ${event.deliveryId}`;
          const body = openBodyIfReadable(arena.world.keyring, { ...event, ...row });
          const { textMsg } = JSON.parse(String(body)).data;
          assert.ok(
            wasSettled ? textMsg === 'hi' : ['hi', 'changed'].includes(textMsg),
            'what was sent changed',
          );
        },
      };
    },
  ),
  'settle and delete the message': race({}, async (arena) => {
    const { ada, message, event } = await setUp(arena);
    const owner = arena.servers[1] as World;
    const path = pathOf(message);
    return {
      works: [() => settle(owner, event, 'retrying'), () => arena.person(0, ada).calls('DELETE', path)],
      async check(results) {
        assert.equal((results[1] as { status: number }).status, 200);
        const left = await leftOf(arena, event);
        assert.ok(left.event === 1 || left.queued === 0, 'an event without its body is to be sent');
      },
    };
  }),
};
