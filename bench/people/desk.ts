import type { Pool } from 'undici';
import type { ChatEvent } from '#contract/live-events.ts';
import { privateConversationId } from '#platform/ids.ts';
import type { Person } from './company.ts';
import type { Figures } from './figures.ts';
import { LiveStream } from './live-stream.ts';
import { type Action, pickAction, pickMessage, pickOne, pickPauseMs, pickWords } from './mix.ts';

/** The people of a bench share these. */
export interface Office {
  url: string;
  pool: Pool;
  /** Null while nothing is measured. */
  figures: Figures | null;
  /** When each message was sent, by the number that it begins with. */
  sentAt: number[];
  everybody: readonly Person[];
  picture: Buffer;
}

/** As in the page: it keeps what it has loaded of a conversation for five minutes. */
const KEPT_MS = 5 * 60_000;
const ACKNOWLEDGED_AFTER_MS = 1_000;
const NUMBERED = /^#(\d+) /;

interface Thread {
  conversationId: string;
  peerId?: string;
}

interface Loaded {
  at: number;
  newestMsgId?: string;
  oldestMsgId?: string;
  ownMsgId?: string;
}

/** A person with one open page, which asks what the real page asks. */
export class Desk {
  readonly #office: Office;
  readonly #person: Person;
  readonly #cookie: string;
  readonly #groups: Thread[];
  readonly #peers: Thread[];
  readonly #known = new Set<string>();
  readonly #live: LiveStream;
  #loaded = new Map<string, Loaded>();
  #open: Thread;
  #delivered = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #hasNotificationSettings = false;

  constructor(office: Office, person: Person, cookie: string) {
    this.#office = office;
    this.#person = person;
    this.#cookie = cookie;
    this.#groups = person.groupIds.map((conversationId) => ({ conversationId }));
    this.#peers = person.peerIds.map((peerId) => ({
      conversationId: privateConversationId(person.accountId, peerId),
      peerId,
    }));
    this.#open = pickOne(this.#groups.length > 0 ? this.#groups : this.#peers);
    this.#live = new LiveStream({
      url: office.url,
      cookie,
      figures: () => office.figures,
      onEvent: (event) => this.#receive(event),
    });
  }

  /** Opens the page, and works until {@link Desk.leave}. */
  async arrive(): Promise<void> {
    await this.#load();
    const work = () => {
      this.#timer = setTimeout(work, pickPauseMs());
      void this.#act(pickAction()).catch(() => this.#office.figures?.noteFailure('an action of the bench'));
    };
    this.#timer = setTimeout(work, Math.random() * pickPauseMs());
  }

  leave(): void {
    clearTimeout(this.#timer);
    this.#live.close();
  }

  /** The connection breaks; this resolves when the page is connected again. */
  cut(): Promise<void> {
    return this.#live.cut({ isResumed: true });
  }

  async #load(): Promise<void> {
    this.#loaded = new Map();
    await this.#ask('GET', '/api/auth/session');
    await this.#live.open();
    await Promise.all([
      this.#ask('GET', '/api/auth/profile'),
      this.#ask('GET', '/api/auth/maintenance'),
      this.#ask('GET', '/api/auth/announcements'),
      this.#ask('GET', '/api/chat/stories'),
      this.#ask('GET', '/api/chat/stories/mine'),
      this.#ask('GET', '/api/chat/drafts'),
      this.#ask('GET', '/api/chat/conversations'),
    ]);
    await this.#show(this.#open);
  }

  async #act(action: Action): Promise<unknown> {
    const { conversationId } = this.#open;
    const loaded = this.#loaded.get(conversationId);
    const { newestMsgId, oldestMsgId, ownMsgId } = loaded ?? {};
    const path = `/api/chat/conversations/${conversationId}`;
    switch (action) {
      case 'switch-group':
        return this.#groups.length > 0 && this.#show(pickOne(this.#groups));
      case 'switch-private':
        return this.#show(pickOne(this.#peers));
      case 'scroll-back':
        return this.#scroll();
      case 'write':
        return this.#write();
      case 'discard-draft':
        return this.#ask('PUT', `${path}/draft`, { text: '' });
      case 'keep-draft':
        return this.#ask('PUT', `${path}/draft`, { text: pickWords(20) });
      case 'list-drafts':
        return this.#ask('GET', '/api/chat/drafts');
      case 'view-threads':
        return this.#ask('GET', '/api/chat/conversations');
      case 'open-message':
        return oldestMsgId && this.#ask('GET', `${path}/messages?around=${oldestMsgId}`);
      case 'mark-read':
        return newestMsgId && this.#ask('POST', `${path}/read`, { msgId: newestMsgId });
      case 'react':
        return (
          newestMsgId && this.#ask('PUT', `${path}/messages/${newestMsgId}/reactions`, { emoji: ['👍'] })
        );
      case 'edit':
        return ownMsgId && this.#ask('PATCH', `${path}/messages/${ownMsgId}`, { text: pickWords(20) });
      case 'delete-message':
        delete loaded?.ownMsgId;
        return ownMsgId && this.#ask('DELETE', `${path}/messages/${ownMsgId}`);
      case 'search-messages':
        return this.#ask('GET', '/api/chat/search?words=parcel+river');
      case 'find-person':
        return this.#ask('GET', `/api/chat/profiles?username=${pickOne(this.#office.everybody).username}`);
      case 'show-profile':
        return this.#ask('GET', `/api/chat/profiles/${pickOne(this.#person.peerIds)}`);
      case 'reconnect':
        return this.cut();
      case 'reload':
        void this.#live.cut({ isResumed: false });
        return this.#load();
      case 'check-unread':
        return undefined;
    }
  }

  async #show(thread: Thread): Promise<void> {
    this.#open = thread;
    const { conversationId, peerId } = thread;
    const path = `/api/chat/conversations/${conversationId}`;
    const kept = this.#loaded.get(conversationId);
    if (kept && performance.now() - kept.at < KEPT_MS)
      return void (await this.#ask('GET', '/api/auth/profile'));
    const loaded: Loaded = { at: performance.now() };
    this.#loaded.set(conversationId, loaded);
    const [page] = await Promise.all([
      this.#ask<{ messages: { msgId: string }[]; people: { userId: string }[] }>('GET', `${path}/messages`),
      this.#ask('GET', `${path}/pins`),
      this.#ask('GET', `${path}/receipts`),
      peerId === undefined ? this.#ask('GET', `${path}/commands`) : undefined,
    ]);
    if (!page) return;
    for (const { userId } of page.people) this.#known.add(`${conversationId} ${userId}`);
    const [newest, oldest] = [page.messages[0], page.messages.at(-1)];
    if (!newest || !oldest) return;
    Object.assign(loaded, { newestMsgId: newest.msgId, oldestMsgId: oldest.msgId });
    await this.#ask('POST', `${path}/read`, { msgId: newest.msgId });
  }

  async #scroll(): Promise<void> {
    const { conversationId } = this.#open;
    const loaded = this.#loaded.get(conversationId);
    for (let pages = 1 + Math.floor(Math.random() * 5); pages > 0 && loaded?.oldestMsgId; pages--) {
      const page = await this.#ask<{ messages: { msgId: string }[] }>(
        'GET',
        `/api/chat/conversations/${conversationId}/messages?before=${loaded.oldestMsgId}`,
      );
      const oldest = page?.messages.at(-1);
      if (!oldest) return;
      loaded.oldestMsgId = oldest.msgId;
    }
  }

  async #write(): Promise<void> {
    const { conversationId, peerId } = this.#open;
    const path = `/api/chat/conversations/${conversationId}`;
    const { words, isQuote, hasFile } = pickMessage();
    const loaded = this.#loaded.get(conversationId);
    await Promise.all([
      this.#ask('POST', `${path}/typing`, {}),
      this.#ask('PUT', `${path}/draft`, { text: words }),
    ]);
    const to = peerId === undefined ? { groupId: conversationId } : { to: peerId };
    const quote = isQuote && loaded?.newestMsgId ? { replyToMsgId: loaded.newestMsgId } : {};
    const address = peerId === undefined ? '/api/chat/groups/messages' : '/api/chat/messages';
    if (hasFile) {
      const media = await this.#ask<{ url: string }>(
        'POST',
        '/api/chat/media?kind=image&fileName=photo.png',
        this.#office.picture,
      );
      if (media) await this.#ask('POST', address, { ...to, type: 'image', fileUrl: media.url });
    }
    const msgId = await this.#send(address, { ...to, ...quote }, words);
    if (loaded && msgId) loaded.ownMsgId = msgId;
    await this.#ask('PUT', `${path}/draft`, { text: '' });
  }

  async #send(path: string, address: object, words: string): Promise<string | undefined> {
    const number = this.#office.sentAt.push(performance.now()) - 1;
    const sent = await this.#ask<{ msgId: string }>('POST', path, {
      ...address,
      type: 'text',
      content: `#${number} ${words}`,
    });
    return sent?.msgId;
  }

  #receive({ type, data }: ChatEvent): void {
    if (type !== 'message' || data.from === this.#person.accountId) return;
    const { conversationId, msgId, from } = data;
    const number = NUMBERED.exec(data.content ?? '')?.[1];
    if (number !== undefined)
      this.#office.figures?.toScreens.push(performance.now() - (this.#office.sentAt[Number(number)] ?? 0));
    const path = `/api/chat/conversations/${conversationId}`;
    for (const { userId } of data.people ?? []) this.#known.add(`${conversationId} ${userId}`);
    if (!this.#known.has(`${conversationId} ${from}`)) {
      this.#known.add(`${conversationId} ${from}`);
      void this.#ask('GET', `${path}/people?userIds=${from}`);
    }
    if (!this.#hasNotificationSettings) {
      this.#hasNotificationSettings = true;
      void this.#ask('GET', '/api/chat/notifications');
    }
    if (conversationId === this.#open.conversationId) {
      const loaded = this.#loaded.get(conversationId);
      if (loaded) loaded.newestMsgId = msgId;
      void this.#ask('POST', `${path}/read`, { msgId });
    } else if (conversationId.startsWith('prv')) {
      if (this.#delivered.size === 0) setTimeout(() => this.#acknowledge(), ACKNOWLEDGED_AFTER_MS);
      this.#delivered.set(conversationId, msgId);
    }
  }

  #acknowledge(): void {
    const upTo = [...this.#delivered].map(([conversationId, msgId]) => ({ conversationId, msgId }));
    this.#delivered = new Map();
    void this.#ask('POST', '/api/chat/delivered', { upTo: upTo.slice(0, 50) });
  }

  async #ask<T = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object | Buffer,
  ): Promise<T | undefined> {
    const { pool, url, figures } = this.#office;
    const startedAt = performance.now();
    let status = 0;
    try {
      const answer = await pool.request({
        method,
        path,
        headers: {
          cookie: this.#cookie,
          origin: url,
          ...(body && { 'content-type': Buffer.isBuffer(body) ? 'image/png' : 'application/json' }),
        },
        ...(body && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
      });
      status = answer.statusCode;
      const { data } = (await answer.body.json()) as { data: T };
      return status < 300 ? data : undefined;
    } catch {
      return undefined;
    } finally {
      const route = `${method} ${path.replace(/\?.*/, '').replace(/(prv|grp|usr|msg)_\w+/g, ':id')}`;
      figures?.noteAnswer(route, status, performance.now() - startedAt);
    }
  }
}
