import { CHANGED_ELSEWHERE, type LiveEvent, type MakeEvent, type Relay, whenMade } from '../live.ts';
import type { Platform } from '../platform.ts';
import type { Redis, Script } from '../redis.ts';

interface Publication {
  topic: string;
  make: MakeEvent;
  /** The subscription of this process, if Redis counts it among those of the topic. */
  own: Subscription | undefined;
}

/** Of this process, to one topic. */
interface Subscription {
  isCounted: boolean;
}

const SENDER_BYTES = 8;
const KEY_ID_BYTES = 2;
const SETTLE_MS = 1_000;
/** The topic that every process follows: all its subscribers may have missed events. */
const ALL_TOPICS = '';
/** If events of more topics were lost, all subscribers reload. */
const MOST_LOST = 1_000;

/** A script, so that it runs on the shard of the channels; a plain PUBSUB would go to any node. */
const COUNT_LISTENERS: Script = {
  name: 'parleyCountListeners',
  lua: `return redis.call('PUBSUB', 'SHARDNUMSUB', unpack(ARGV))`,
};

/**
 * Carries live events between processes through Redis. Most topics have no subscriber anywhere, so it first asks for the
 * subscribers, once for all publications in one turn of the event loop, and creates events only if there are some. Events
 * are encrypted.
 */
export function createLiveRelay(
  redis: Redis,
  { keyring, random }: Pick<Platform, 'keyring' | 'random'>,
): Relay {
  const sender = random.bytes(SENDER_BYTES);
  const settling = new Map<string, Promise<unknown>>();
  const followed = new Map<string, Subscription>();
  let publications: Publication[] = [];
  /** Topics whose events could not be published. */
  const lost = new Set<string>();
  let tellOfGap = () => {};

  const channelOf = (topic: string) => `parley:{${redis.shardOf(topic)}}:live:${topic}`;
  const lose = (topic: string) => lost.add(lost.size < MOST_LOST ? topic : ALL_TOPICS);

  /** In doubt undefined: an event that nobody else hears costs little, one that is not published is lost. */
  function counted(topic: string): Subscription | undefined {
    const own = followed.get(topic);
    return own?.isCounted ? own : undefined;
  }

  function publish(topic: string, make: MakeEvent): void {
    if (!redis.isAnswering) {
      lose(topic);
      return;
    }
    if (publications.length === 0) setImmediate(flush);
    publications.push({ topic, make, own: counted(topic) });
  }

  function flush(): void {
    const byShard = Map.groupBy(publications, ({ topic }) => redis.shardOf(topic));
    publications = [];
    for (const ofShard of byShard.values())
      send(ofShard).catch(() => {
        for (const { topic } of ofShard) lose(topic);
      });
  }

  async function send(ofShard: Publication[]): Promise<void> {
    const channels = [...new Set(ofShard.map(({ topic }) => channelOf(topic)))];
    const counts = (await redis.run(COUNT_LISTENERS, [channels[0] as string], channels)) as unknown[];
    const listeners = new Map<string, number>();
    for (let i = 0; i < counts.length; i += 2) listeners.set(String(counts[i]), Number(counts[i + 1]));
    for (const { topic, make, own } of ofShard) {
      const channel = channelOf(topic);
      const isOwnCounted = own !== undefined && counted(topic) === own;
      if ((listeners.get(channel) ?? 0) <= Number(isOwnCounted)) continue;
      whenMade(make(), (event) => {
        redis.publish(channel, seal(topic, event)).catch(() => lose(topic));
      });
    }
  }

  /** Other processes may have been connected all the time, and know nothing of a gap. */
  function tellOfLost(): void {
    const topics = lost.has(ALL_TOPICS) ? [ALL_TOPICS] : [...lost];
    lost.clear();
    for (const topic of topics) publish(topic, () => CHANGED_ELSEWHERE);
  }

  function seal(topic: string, event: LiveEvent): Buffer {
    const { keyId, ciphertext } = keyring.seal(contextOf(topic), Buffer.from(JSON.stringify(event)));
    const key = Buffer.alloc(KEY_ID_BYTES);
    key.writeUInt16BE(keyId);
    return Buffer.concat([sender, key, ciphertext]);
  }

  function unseal(topic: string, message: Buffer): LiveEvent {
    try {
      const keyId = message.readUInt16BE(SENDER_BYTES);
      const ciphertext = message.subarray(SENDER_BYTES + KEY_ID_BYTES);
      return JSON.parse(keyring.open(contextOf(topic), { keyId, ciphertext }).toString());
    } catch {
      // It may be sealed with a key that this process does not have yet, during a key rotation.
      return CHANGED_ELSEWHERE;
    }
  }

  redis.subscribe(channelOf(ALL_TOPICS)).catch(() => {});
  redis.onReturn(tellOfLost);
  redis.onUnsubscribed(() => {
    for (const topic of followed.keys()) followed.set(topic, { isCounted: false });
  });
  return {
    publish,
    onEvent(deliver) {
      redis.onMessage((channel, message) => {
        const topic = /^parley:\{\d+\}:live:(.*)$/s.exec(channel)?.[1];
        if (topic === undefined || message.subarray(0, SENDER_BYTES).equals(sender)) return;
        if (topic === ALL_TOPICS) tellOfGap();
        else deliver(topic, unseal(topic, message));
      });
    },
    onGap(listener) {
      tellOfGap = listener;
      redis.onGap(() => {
        for (const [topic, own] of followed)
          own.isCounted = redis.tellsOfLostSubscriptions && !settling.has(topic);
        listener();
      });
    },
    follow(topic) {
      const own = { isCounted: false };
      followed.set(topic, own);
      const following = redis
        .subscribe(channelOf(topic))
        .then(
          () => {
            own.isCounted = redis.tellsOfLostSubscriptions;
          },
          () => {
            // A gap that ends later does not make it one.
            if (followed.get(topic) === own) followed.delete(topic);
          },
        )
        .finally(() => {
          // It may have been left and followed again meanwhile.
          if (settling.get(topic) === following) settling.delete(topic);
        });
      settling.set(topic, following);
    },
    leave(topic) {
      followed.delete(topic);
      redis.unsubscribe(channelOf(topic));
    },
    async settled() {
      if (settling.size === 0 || !redis.isAnswering) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, SETTLE_MS);
      await Promise.race([Promise.all(settling.values()), late]);
      clearTimeout(timer);
    },
  };
}

function contextOf(topic: string) {
  return { table: 'live', rowId: topic };
}
