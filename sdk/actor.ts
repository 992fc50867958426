import type { CallOptions, ServiceRequest } from './service.ts';
import type {
  AddGroupMembers,
  Broadcast,
  ChangeGroupDetails,
  ChangeGroupRole,
  ClosePoll,
  CreatedPoll,
  CreateGroup,
  CreatePoll,
  Group,
  GroupMember,
  GroupMembers,
  Me,
  Operations,
  Poll,
  RemoveGroupMember,
  SentMessage,
  VotePoll,
} from './wire.ts';

/** The operations that create something. */
type Creating = {
  [K in keyof Operations]: Operations[K] extends { creates: true } ? K : never;
}[keyof Operations];

/**
 * The items of all pages, each loaded once the items of the one before have been used.
 *
 * @param after the parameter that is the `next` of the page before
 */
export async function* inPages<After extends string, Next extends string, Items extends string, Item>(
  [after, next, items]: [After, Next, Items],
  load: (page: { [A in After]?: string }) => Promise<{ [I in Items]: Item[] } & { [N in Next]?: string }>,
): AsyncGenerator<Item, void> {
  let position: string | undefined;
  do {
    const page = await load((position ? { [after]: position } : {}) as { [A in After]?: string });
    const found: Item[] = page[items];
    yield* found;
    position = page[next];
  } while (position);
}

/** Makes requests with one credential. */
export type Send = (request: ServiceRequest) => Promise<unknown>;

/**
 * Calls for bots and for people who consented: groups and polls. A failed call throws `ParleyError`, after
 * retries if it got a 429 for a quota, a 502, 503 or 504, or no response. When a response is lost, the retry may find the work already
 * done: a deletion then fails with `not-found`, and closing a poll with `failed-precondition`.
 */
export abstract class Actor {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Who this credential acts as.
   *
   * @example
   * const me = await bot.getMe();
   * console.log(me.userId, me.username);
   */
  async getMe(options?: CallOptions): Promise<Me> {
    return this.call('GET /v1/me', undefined, options);
  }

  /**
   * Creates a group or a broadcast list; the caller becomes its administrator.
   *
   * @example
   * const { groupId } = await bot.createGroup({ name: 'Hikers', members: [ada] });
   */
  async createGroup(group: CreateGroup, options?: CallOptions): Promise<Group> {
    return this.create('POST /v1/groups', group, options);
  }

  /**
   * Deletes a group for everybody; for administrators.
   *
   * @example
   * const { groupId } = await bot.createGroup({ name: 'For a moment' });
   * await bot.deleteGroup(groupId);
   */
  async deleteGroup(groupId: string, options?: CallOptions): Promise<void> {
    await this.call('DELETE /v1/groups/delete', { groupId }, options);
  }

  /**
   * Adds 1 to 100 members, all or none; for administrators.
   *
   * @example
   * await bot.addGroupMembers({ groupId: group, memberIds: [ada] });
   */
  async addGroupMembers(members: AddGroupMembers, options?: CallOptions): Promise<void> {
    await this.call('POST /v1/groups/members', members, options);
  }

  /**
   * Removes a member; for administrators. With its own id the caller leaves.
   *
   * @example
   * await bot.removeGroupMember({ groupId: group, memberId: ada });
   */
  async removeGroupMember(member: RemoveGroupMember, options?: CallOptions): Promise<void> {
    await this.call('POST /v1/groups/members/remove', member, options);
  }

  /**
   * Promotes or demotes a member of a group that is no broadcast list; for administrators.
   *
   * @example
   * await bot.changeGroupRole({ groupId: group, memberId: ada, isAdmin: true });
   */
  async changeGroupRole(role: ChangeGroupRole, options?: CallOptions): Promise<void> {
    await this.call('PATCH /v1/groups/members/role', role, options);
  }

  /**
   * Changes at least one detail of a group; for administrators.
   *
   * @example
   * await bot.changeGroupDetails({ groupId: group, name: 'Hikers of Bern', sendMessages: true });
   */
  async changeGroupDetails(details: ChangeGroupDetails, options?: CallOptions): Promise<void> {
    await this.call('PATCH /v1/groups/details', details, options);
  }

  /**
   * One page of a group's members; for its members.
   *
   * @example
   * const { members, nextCursor } = await bot.listGroupMembers({ groupId: group });
   * console.log(members.length, nextCursor ? 'and more' : 'in all');
   */
  async listGroupMembers(
    page: { groupId: string; cursor?: string },
    options?: CallOptions,
  ): Promise<GroupMembers> {
    return this.call('GET /v1/groups/members', page, options);
  }

  /**
   * All members of a group, loaded page by page.
   *
   * @example
   * for await (const { userId, isAdmin } of bot.groupMembers(group)) console.log(userId, isAdmin);
   */
  groupMembers(groupId: string, options?: CallOptions): AsyncGenerator<GroupMember, void> {
    return inPages(['cursor', 'nextCursor', 'members'], (page) =>
      this.listGroupMembers({ groupId, ...page }, options),
    );
  }

  /**
   * Posts to a group, or to a broadcast list of the caller's; `type` defaults to text.
   *
   * @example
   * await bot.broadcast({ groupId: group, type: 'text', content: 'We meet at noon.' });
   */
  async broadcast(message: Broadcast, options?: CallOptions): Promise<SentMessage> {
    return this.create('POST /v1/groups/broadcast', message, options);
  }

  /**
   * Creates a poll in a group or a private chat.
   *
   * @example
   * const { msgId, poll } = await bot.createPoll({
   *   receiverId: ada,
   *   question: 'Tea or coffee?',
   *   options: ['Tea', 'Coffee'],
   * });
   */
  async createPoll(poll: CreatePoll, options?: CallOptions): Promise<CreatedPoll> {
    return this.create('POST /v1/polls', poll, options);
  }

  /**
   * Votes for an option; voting for it again takes the vote back. A vote is therefore retried only when it certainly did
   * not count: after a 429.
   *
   * @example
   * const { msgId, poll } = await bot.createPoll({ groupId: group, question: 'Go?', options: ['Yes', 'No'] });
   * const voted = await bot.votePoll({ messageId: msgId, optionId: poll.options[0].id });
   * console.log(voted.totalVotes);
   */
  async votePoll(vote: VotePoll, options?: CallOptions): Promise<Poll> {
    return (await this.call('POST /v1/polls/vote', vote, options, { isToggle: true })).poll;
  }

  /**
   * A poll with its votes, for those in its conversation.
   *
   * @example
   * const { msgId } = await bot.createPoll({ groupId: group, question: 'Go?', options: ['Yes', 'No'] });
   * const { totalVotes, options } = await bot.getPoll(msgId);
   */
  async getPoll(msgId: string, options?: CallOptions): Promise<Poll> {
    return (await this.call('GET /v1/polls/{msgId}', { msgId }, options)).poll;
  }

  /**
   * Closes a poll that the caller created.
   *
   * @example
   * const { msgId } = await bot.createPoll({ groupId: group, question: 'Go?', options: ['Yes', 'No'] });
   * const { closed } = await bot.closePoll({ messageId: msgId });
   */
  async closePoll(poll: ClosePoll, options?: CallOptions): Promise<Poll> {
    return (await this.call('POST /v1/polls/close', poll, options)).poll;
  }

  protected async call<K extends keyof Operations>(
    operation: K,
    input: Operations[K]['input'],
    { signal, isFleeting }: CallOptions = {},
    extra: Partial<ServiceRequest> = {},
  ): Promise<Operations[K]['data']> {
    const [method, route] = operation.split(' ') as [ServiceRequest['method'], string];
    // Through JSON, a field that is undefined is left out of a query as it is of a body.
    const fields: Record<string, string> = input ? JSON.parse(JSON.stringify(input)) : {};
    const path = route.replace(/{(\w+)}/g, (_, name) => {
      const { [name]: value } = fields;
      delete fields[name];
      return encodeURIComponent(String(value));
    });
    const hasBody = method !== 'GET' && !extra.form;
    const query = !hasBody && String(new URLSearchParams(fields));
    const reply = (await this.#send({
      method,
      route,
      path: query ? `${path}?${query}` : path,
      ...(hasBody && input && { body: fields }),
      signal,
      isFleeting,
      ...extra,
    })) as object;
    // `GET /oauth/userinfo` answers without an envelope.
    return ('data' in reply ? reply.data : reply) as Operations[K]['data'];
  }

  /** Idempotent: the key makes the service run it once, however often it arrives. */
  protected create<K extends Creating>(
    operation: K,
    input: Operations[K]['input'],
    { idempotencyKey = crypto.randomUUID(), ...options }: CallOptions = {},
  ): Promise<Operations[K]['data']> {
    return this.call(operation, input, options, { headers: { 'idempotency-key': idempotencyKey } });
  }
}
