import { inPages } from './actor.ts';
import { ConversationCalls } from './conversation-calls.ts';
import type { CallOptions } from './service.ts';
import type {
  AcknowledgeEvents,
  ChangeBot,
  DeadLetter,
  DeadLetterPage,
  EventPage,
  OwnBot,
  OwnGroup,
  OwnGroups,
  ReplayedEvents,
  RequestPage,
  SetWebhook,
  Webhook,
} from './wire.ts';

/** All calls for bots only: also those about themselves, and the stored events and requests of their application. */
export abstract class BotCalls extends ConversationCalls {
  /**
   * Changes the description, commands or picture of the bot. The API key needs the scope `bot:manage`, which its owner grants in
   * the console.
   *
   * @example
   * await bot.changeMe({ commands: [{ command: 'today', description: 'The weather of today' }] });
   */
  async changeMe(profile: ChangeBot, options?: CallOptions): Promise<OwnBot> {
    return this.call('PATCH /v1/me', profile, options);
  }

  /**
   * The webhook URL, the chosen events, and how the latest attempt went. The API key needs the scope `bot:manage`.
   *
   * @example
   * const { failingSince, lastAttempt } = await bot.getWebhook();
   * if (failingSince) console.error(lastAttempt?.message);
   */
  async getWebhook(options?: CallOptions): Promise<Webhook> {
    return this.call('GET /v1/webhook', undefined, options);
  }

  /**
   * Sets the webhook URL and the chosen events, such as in a pipeline that deploys the bot. The API key needs the scope
   * `bot:manage`.
   *
   * @example
   * await bot.setWebhook({ webhookUrl: 'https://hooks.example.com/bot', events: ['group.joined'] });
   */
  async setWebhook(webhook: SetWebhook, options?: CallOptions): Promise<Webhook> {
    return this.call('PUT /v1/webhook', webhook, options);
  }

  /**
   * One page of the groups and broadcast lists that the bot is in.
   *
   * @example
   * const { groups, nextCursor } = await bot.listGroups();
   * console.log(groups.length, nextCursor ? 'and more' : 'in all');
   */
  async listGroups(page: { cursor?: string } = {}, options?: CallOptions): Promise<OwnGroups> {
    return this.call('GET /v1/groups', page, options);
  }

  /**
   * All groups and broadcast lists that the bot is in, loaded page by page.
   *
   * @example
   * for await (const { groupId, name, isAdmin } of bot.groups()) console.log(groupId, name, isAdmin);
   */
  groups(options?: CallOptions): AsyncGenerator<OwnGroup, void> {
    return inPages(['cursor', 'nextCursor', 'groups'], (page) => this.listGroups(page, options));
  }

  /**
   * One page of the stored events, oldest first. `poll()` is the easy way to handle them.
   *
   * @example
   * const { events, nextAfter } = await bot.listEvents({ limit: 10 });
   * const { hasMore } = await bot.listEvents({ after: nextAfter });
   */
  async listEvents(page: { after?: string; limit?: number } = {}, options?: CallOptions): Promise<EventPage> {
    return this.call('GET /v1/events', page, options);
  }

  /**
   * Stores how far the bot has handled its events, and abandons some of them; `poll()` calls it automatically.
   * `listEvents({ after: 'acknowledged' })` continues there.
   *
   * @example
   * const { events, nextAfter } = await bot.listEvents();
   * for (const { event } of events) console.log(event.type);
   * await bot.acknowledgeEvents({ upTo: nextAfter });
   */
  async acknowledgeEvents(events: AcknowledgeEvents, options?: CallOptions): Promise<void> {
    await this.call('POST /v1/events/acknowledge', events, options);
  }

  /**
   * One page of the application's API log, the latest request first.
   *
   * @example
   * const { requests } = await bot.listRequests();
   * for (const { method, route, status } of requests) console.log(method, route, status);
   */
  async listRequests(page: { before?: string } = {}, options?: CallOptions): Promise<RequestPage> {
    return this.call('GET /v1/requests', page, options);
  }

  /**
   * One page of the abandoned events, oldest first.
   *
   * @example
   * const { deadLetters, nextAfter } = await bot.listDeadLetters({ limit: 10 });
   * console.log(deadLetters.length, nextAfter ? 'and more' : 'in all');
   */
  async listDeadLetters(
    page: { after?: string; limit?: number } = {},
    options?: CallOptions,
  ): Promise<DeadLetterPage> {
    return this.call('GET /v1/events/dead-letters', page, options);
  }

  /**
   * All abandoned events, oldest first: abandoned by `poll()` after 8 attempts, or by the service after 8 attempts at the
   * webhook.
   *
   * @example
   * for await (const { eventId, message } of bot.deadLetters()) {
   *   console.log(message);
   *   await bot.replayEvents([eventId]);
   * }
   */
  deadLetters(options?: CallOptions): AsyncGenerator<DeadLetter, void> {
    return inPages(['after', 'nextAfter', 'deadLetters'], (page) => this.listDeadLetters(page, options));
  }

  /**
   * Redelivers up to 100 events, by webhook or to `poll()`, which skips those that the bot has handled.
   *
   * @example
   * const { replayed } = await bot.replayEvents(['dlv_06f2c8k4x1m9q7t3w5z8b2n4']);
   */
  async replayEvents(eventIds: string[], options?: CallOptions): Promise<ReplayedEvents> {
    return this.call('POST /v1/events/replay', { eventIds }, options);
  }
}
