import type { Keyring } from '../crypto/keyring.ts';
import { CHANGED_ELSEWHERE, type LiveEvent, type MakeEvent, type Relay, whenMade } from '../live.ts';
import type { Random } from '../random.ts';
import type { Redis, Script } from '../redis.ts';

interface Publication {
  topic: string;
  make: MakeEvent;
  /** The number of subscribers if no other process has any: this process itself, or none. */
  own: number;
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
export class LiveRelay implements Relay {
  readonly #redis: Redis;
  readonly #keyring: Keyring;
  readonly #sender: Buffer;
  readonly #settling = new Map<string, Promise<unknown>>();
  #publications: Publication[] = [];
  /** Topics whose events could not be published. */
  readonly #lost = new Set<string>();
  #tellOfGap = () => {};

  constructor(redis: Redis, { keyring, random }: { keyring: Keyring; random: Random }) {
    this.#redis = redis;
    this.#keyring = keyring;
    this.#sender = random.bytes(SENDER_BYTES);
    redis.subscribe(this.#channelOf(ALL_TOPICS)).catch(() => {});
    redis.onReturn(() => this.#tellOfLost());
  }

  onEvent(deliver: (topic: string, event: LiveEvent) => void): void {
    this.#redis.onMessage((channel, message) => {
      const topic = /^parley:\{\d+\}:live:(.*)$/s.exec(channel)?.[1];
      if (topic === undefined || message.subarray(0, SENDER_BYTES).equals(this.#sender)) return;
      if (topic === ALL_TOPICS) this.#tellOfGap();
      else deliver(topic, this.#open(topic, message));
    });
  }

  onGap(listener: () => void): void {
    this.#tellOfGap = listener;
    this.#redis.onGap(listener);
  }

  follow(topic: string): void {
    const following = this.#redis
      .subscribe(this.#channelOf(topic))
      .catch(() => {})
      .finally(() => this.#settling.delete(topic));
    this.#settling.set(topic, following);
  }

  leave(topic: string): void {
    this.#redis.unsubscribe(this.#channelOf(topic));
  }

  async settled(): Promise<void> {
    if (this.#settling.size === 0 || !this.#redis.isAnswering) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, SETTLE_MS);
    await Promise.race([Promise.all(this.#settling.values()), late]);
    clearTimeout(timer);
  }

  publish(topic: string, make: MakeEvent, isListeningHere: boolean): void {
    if (!this.#redis.isAnswering) {
      this.#lose(topic);
      return;
    }
    if (this.#publications.length === 0) setImmediate(() => this.#flush());
    this.#publications.push({ topic, make, own: isListeningHere ? 1 : 0 });
  }

  #flush(): void {
    const byShard = Map.groupBy(this.#publications, ({ topic }) => this.#redis.shardOf(topic));
    this.#publications = [];
    for (const publications of byShard.values()) {
      this.#send(publications).catch(() => {
        for (const { topic } of publications) this.#lose(topic);
      });
    }
  }

  #lose(topic: string): void {
    this.#lost.add(this.#lost.size < MOST_LOST ? topic : ALL_TOPICS);
  }

  /** Other processes may have been connected all the time, and know nothing of a gap. */
  #tellOfLost(): void {
    const lost = this.#lost.has(ALL_TOPICS) ? [ALL_TOPICS] : [...this.#lost];
    this.#lost.clear();
    for (const topic of lost) this.publish(topic, () => CHANGED_ELSEWHERE, false);
  }

  async #send(publications: Publication[]): Promise<void> {
    const channels = [...new Set(publications.map(({ topic }) => this.#channelOf(topic)))];
    const counted = (await this.#redis.run(COUNT_LISTENERS, [channels[0] as string], channels)) as unknown[];
    const listeners = new Map<string, number>();
    for (let i = 0; i < counted.length; i += 2) listeners.set(String(counted[i]), Number(counted[i + 1]));
    for (const { topic, make, own } of publications) {
      const channel = this.#channelOf(topic);
      if ((listeners.get(channel) ?? 0) <= own) continue;
      whenMade(make(), (event) => {
        this.#redis.publish(channel, this.#seal(topic, event)).catch(() => this.#lose(topic));
      });
    }
  }

  #seal(topic: string, event: LiveEvent): Buffer {
    const { keyId, ciphertext } = this.#keyring.seal(contextOf(topic), Buffer.from(JSON.stringify(event)));
    const key = Buffer.alloc(KEY_ID_BYTES);
    key.writeUInt16BE(keyId);
    return Buffer.concat([this.#sender, key, ciphertext]);
  }

  /** An event may be sealed with a key that this process does not have yet, during a key rotation. */
  #open(topic: string, message: Buffer): LiveEvent {
    try {
      return this.#unseal(topic, message);
    } catch {
      return CHANGED_ELSEWHERE;
    }
  }

  #unseal(topic: string, message: Buffer): LiveEvent {
    const keyId = message.readUInt16BE(SENDER_BYTES);
    const ciphertext = message.subarray(SENDER_BYTES + KEY_ID_BYTES);
    return JSON.parse(this.#keyring.open(contextOf(topic), { keyId, ciphertext }).toString());
  }

  #channelOf(topic: string): string {
    return `parley:{${this.#redis.shardOf(topic)}}:live:${topic}`;
  }
}

function contextOf(topic: string) {
  return { table: 'live', rowId: topic };
}
