import type { EventMessage } from '#contract/webhooks/events.ts';
import { createApplication } from '#features/applications/create.ts';
import { setWebhookUrl } from '#features/applications/settings.ts';
import { deliverDue, type StepCounts } from '#features/webhooks/delivery/deliver-due.ts';
import { QUEUE_LIMITS } from '#features/webhooks/delivery/endpoint-queues.ts';
import { createSender, type Sender, type SenderOptions } from '#features/webhooks/delivery/sender.ts';
import { type OutgoingEvent, recordEvents } from '#features/webhooks/record-events.ts';
import { eventMessage } from '#features/webhooks/rules.ts';
import type { Config } from '#platform/config.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import { composeFeatures, type Features } from '../app.ts';
import { type Authority, createAuthority } from './certificates.ts';
import { createTestPlatform, type TestPlatform, type TestPlatformOptions } from './platform.ts';
import { type Receiver, type Respond, startReceiver } from './receiver.ts';

export interface TestApplication {
  /** The owner. */
  actorId: string;
  appId: string;
  webhookSecret: string;
}

export interface ShownDelivery {
  msgId: string;
  state: string;
  attempts: number;
  nextAttemptAt: number | null;
}

/** Applications whose webhooks lead to a receiver on this machine, and the deliveries of their events. */
export class DeliveryWorld implements AsyncDisposable {
  /** With every face as a property. */
  readonly platform: TestPlatform & Omit<Features, typeof Symbol.asyncDispose>;
  readonly #authority: Authority;
  readonly #stack = new AsyncDisposableStack();
  #receiver: Receiver | undefined;
  /** The receiver's answer from now on; 200 by default. */
  respond: Respond = () => ({});

  private constructor(platform: TestPlatform, authority: Authority) {
    this.#stack.use(platform);
    const { [Symbol.asyncDispose]: close, ...features } = composeFeatures(platform);
    this.#stack.defer(close);
    this.platform = { ...platform, ...features };
    this.#authority = authority;
  }

  static async create(
    config: Partial<Config> = {},
    options: TestPlatformOptions = {},
    authority = createAuthority(),
  ): Promise<DeliveryWorld> {
    const trusted = { webhookTrustedHosts: ['127.0.0.1'], ...config };
    const platform = await createTestPlatform(trusted, { extraAuthorities: [authority.pem], ...options });
    return new DeliveryWorld(platform, authority);
  }

  get receiver(): Receiver {
    if (!this.#receiver) throw new Error('the receiver has not started');
    return this.#receiver;
  }

  async startReceiver(respond?: Respond): Promise<Receiver> {
    const receiver = await startReceiver({
      host: '127.0.0.1',
      authority: this.#authority,
      respond: respond ?? ((...request) => this.respond(...request)),
    });
    this.#stack.use(receiver);
    this.#receiver ??= receiver;
    return receiver;
  }

  /** No limits for unproven receivers, so that one step takes all due deliveries. */
  readonly unlimited = {
    queues: {
      ...QUEUE_LIMITS,
      initial: QUEUE_LIMITS.perApplication,
      unprovenPerPace: Number.POSITIVE_INFINITY,
    },
  };

  sender(options: SenderOptions = {}): Sender {
    return this.#stack.use(createSender(this.platform, { ...this.unlimited, ...options }));
  }

  async application(webhookUrl = this.receiver.url): Promise<TestApplication> {
    const { db, clock, newId } = this.platform;
    const actorId = newId('usr');
    await db`
      insert into accounts (account_id, is_bot, name, created_at) values (${actorId}, false, 'Ada', ${clock.now()})`;
    const { appId, webhookSecret } = await createApplication(this.platform, actorId, 'Weather');
    await setWebhookUrl(this.platform, { actorId, appId }, webhookUrl, []);
    return { actorId, appId, webhookSecret };
  }

  /** Records the event of a text message to the application's bot; returns its msgId. */
  async event(application: Pick<TestApplication, 'appId'>, text = 'hello'): Promise<string> {
    const event = this.outgoing(application, text);
    await this.platform.db.begin((tx) => recordEvents(tx, this.platform, [event]));
    return event.msgId;
  }

  /** The same event before it is recorded. */
  outgoing(
    { appId }: Pick<TestApplication, 'appId'>,
    text = 'hello',
  ): OutgoingEvent & { data: EventMessage } {
    const { clock, newId } = this.platform;
    const [msgId, from] = [newId('msg'), newId('usr')];
    const at = clock.now();
    const data = eventMessage(
      { type: 'text', body: { content: text } },
      { msgId, from, sentAt: at },
      { chatId: from },
    );
    const bucket = bucketOf(privateConversationId(from, appId));
    return { bucket, appId, type: 'message.received', msgId, data, state: 'pending', at };
  }

  /** One worker step, until its attempts have finished. */
  async deliver(sender: Sender, limit = 100): Promise<StepCounts> {
    const { finished } = await deliverDue(sender, { limit });
    return finished;
  }

  /** Every event, oldest first. */
  async deliveries(): Promise<ShownDelivery[]> {
    const rows = await this.platform.db<ShownDelivery[]>`
      select msg_id,
        coalesce(state, case when made.attempt is null then 'unsent' when made.has_failed then 'abandoned' else 'delivered' end)
          as state,
        coalesce(attempts, made.attempt, 0) as attempts, next_attempt_at
      from events
      left join event_queue using (bucket, delivery_id)
      left join lateral (
        select (attempt ->> 'attempt')::integer as attempt, attempt ->> 'errorClass' is not null as has_failed
        from event_attempts where bucket = events.bucket and delivery_id = events.delivery_id
        order by seq desc limit 1
      ) made on true
      order by delivery_id`;
    return [...rows];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

export async function createDeliveryWorld(): Promise<DeliveryWorld> {
  const world = await DeliveryWorld.create();
  await world.startReceiver();
  return world;
}
