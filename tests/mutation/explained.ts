/**
 * Mutants that no test needs to kill, by the reason. A `*` stands for any text. `npm run mutate` reports those that are
 * killed after all.
 */
const REASONS: Record<string, string[]> = {
  'the message is found by its id alone, which is unique': [
    'server/features/polls/queries.ts *: messages.conversation_id = polls.conversation_id → true',
  ],
  'the caller takes only those that it asked for': [
    'server/features/polls/queries.ts selectConversationsOfPolls: value = any(*',
    'server/features/polls/queries.ts selectPollIds: *',
    'server/features/polls/queries.ts selectVotes*: msg_id = any(*',
    'server/features/oauth/queries.ts findAccess: family_id = any(*',
    'server/features/accounts/queries.ts findEmailOwner: value = any(*',
    'server/features/webhooks/attempts/queries.ts find*: delivery_id = any(*',
    'server/features/webhooks/feed/queries.ts findBodies: delivery_id = any(*',
    'server/features/webhooks/feed/queries.ts findWithUnpositioned: app_id = any(*',
    'server/features/webhooks/feed/queries.ts findLastPositions: app_id = any(*',
    'server/features/messages/access/queries.ts withoutHidden: msg_id = any(*',
  ],
  'only open events have a time at which they are sent': [
    "server/features/webhooks/queries.ts findDue: state in ('pending', 'retrying') → true",
  ],
  'the other of the two parts has all events then': [
    'server/features/webhooks/log/queries.ts those: feed_position → true',
  ],
  'the own message is the marker then': [
    'server/features/messages/access/unread-queries.ts selectUnread: msg_id > asked.after * → msg_id >= *',
  ],
  'an option belongs to one poll': [
    'server/features/polls/queries.ts deleteVotes: taken_back.msg_id = vote.msg_id → true',
  ],
  'the id of a message is no name of another kind': [
    "server/features/polls/queries.ts *: kind = 'poll' → true",
  ],
  'whoever votes or closes holds the lock of the poll and has looked; the poll of a deleted message is not shown':
    [
      'server/features/polls/queries.ts updateTallies: counted.closed_at is null → true',
      'server/features/polls/queries.ts updateClosed: closed_at is null → true',
    ],
  'the first option repeats none': [
    'server/features/polls/rules.ts refuseEqualOptions: repeated < 0 → repeated <= 0',
    'server/features/polls/rules.ts refuseEqualOptions: 0 → 1',
  ],
  'the result is only asked whether it is true': [
    'server/features/groups/rules.ts mayBeAdded: false → undefined',
    'sdk/signature.ts isSignedForStandard: false → undefined',
    'server/platform/safe-fetch/answer-reader.ts close: false → undefined',
    'server/platform/safe-fetch/trusted-hosts.ts isTrustedHost: false → undefined',
  ],
  'the key is used at once and handed to nobody': ['sdk/signature.ts isSignedBy: false → true'],
  'the expression matches nothing in "undefined" either': [
    "server/features/media/rules.ts readRange: header ?? '' → header",
    "sdk/signature.ts verifySignature: signature ?? '' → signature",
  ],
  'the text has been matched before: what it lacks cannot be missing': [
    "server/features/media/rules.ts safeFileName: name.split(/[\\\\/]/).at(-1) ?? '' → name.split(/[\\\\/]/).at(-1)",
    'sdk/signature.ts fromHex: hex.match(/../g) ?? [] → hex.match(/../g)',
    "server/features/webhooks/tools/signature-check.ts *: part.split('=', 1)[0] ?? '' → part.split('=', 1)[0]",
    "server/features/webhooks/tools/signature-check.ts readSignatureHeader: part.split('=')[1] ?? '' → part.split('=')[1]",
  ],
  'an address has eight groups': ['server/platform/safe-fetch/address.ts isIsatap: 0 → 1'],
  'only the first part is taken': [
    'server/features/media/rules.ts servedType: 1 → 2',
    'server/features/webhooks/tools/signature-check.ts explainForm: 1 → 2',
    'server/platform/http/parsing/form.ts findUrlFault: 1 → 2',
  ],
  'the age is more than the tolerance, in one direction or the other': [
    'server/features/webhooks/tools/signature-check.ts checkAge: age > 0 → age >= 0',
    'server/features/webhooks/tools/signature-check.ts checkAge: 0 → 1',
  ],
  'the waits of eight attempts do not reach an hour': [
    'server/features/webhooks/rules.ts module: 3_600_000 → 3600001',
  ],
  'what is no response has no status': [
    "server/features/webhooks/rules.ts isDelivered: result.kind === 'response' && result.status >= 200 → result.status >= 200",
  ],
  'a gif has a file': [
    "server/features/webhooks/rules.ts eventMessage: type === 'gif' && body.fileUrl !== undefined → type === 'gif'",
  ],
  'it only saves time': [
    'server/features/media/rules.ts safeFileName: /^[.\\s]+|[.\\s]+$/g → /^[.\\s]*|[.\\s]+$/g',
    'server/features/media/rules.ts safeFileName: letters.length <= NAME_LENGTH → letters.length < NAME_LENGTH',
    'server/platform/http/parsing/form.ts module: 0x2b → 44',
    'server/platform/http/parsing/form.ts parseStrictForm: at >= 0 → at > 0',
    'server/platform/http/parsing/form.ts parseStrictForm: at + 1 → at - 1',
    'server/platform/http/parsing/form.ts parseStrictForm: 1 → 2',
    'server/platform/http/parsing/form.ts parseStrictForm: 0 → 1',
    'server/platform/http/parsing/form.ts findUrlFault: !/[^\\x21-\\x24\\x26-\\x7e]/.test(url) → false',
    'server/platform/http/parsing/form.ts findUrlFault: /[^\\x21-\\x24\\x26-\\x7e]/ → /[\\x21-\\x24\\x26-\\x7e]/',
    'server/platform/http/parsing/form.ts readPairs: 1 → 2',
    'server/platform/http/parsing/strict-json.ts parseStrictJson: SUSPECT.test(text) → true',
    'server/platform/http/parsing/strict-json.ts module: /\\\\u|*[\\d.]*[eE]\\+?\\d\\d)/',
    'server/platform/rate-limits.ts counterOf: *',
    'server/platform/rate-limits.ts shardOf: *',
    'server/features/oauth/tokens.ts createAccessTokenAuthenticator: rows.length === 0 → false',
    'server/features/oauth/connection-queries.ts selectDeletedWithGrants: application_grants.app_id = *',
    'server/features/oauth/connection-queries.ts selectDeletedWithGrants: exists *',
    'server/features/accounts/profile/queries.ts updateLanguage: language is distinct from *',
    'server/features/applications/monitoring/queries.ts updateKeysUsed: used.app_id = any(*',
    'server/features/applications/monitoring/queries.ts updateKeysUsed: used.last_used_at < said.at → used.last_used_at <= said.at',
    'server/features/accounts/sessions/queries.ts selectHeldSessions: *account_id = any(*',
    'server/features/messages/access/queries.ts upsertListings: * → excluded.read_msg_id >= *',
    'server/features/webhooks/delivery/held-queries.ts findUnfinished: made.delivery_id > *',
    'server/features/webhooks/delivery/held-queries.ts findUnfinished: made.delivery_id < *',
    'server/features/webhooks/feed/queries.ts update*: *_position < * → *_position <= *',
    'server/features/webhooks/queries.ts withQueue: state in *',
    'server/platform/safe-fetch/answer-reader.ts readHead: Math.max*',
    'server/platform/safe-fetch/answer-reader.ts readHead: before - HEAD_END.length + 1 → *',
    'server/platform/safe-fetch/answer-reader.ts takeHead: this.#latest?.text !== text → true',
    'server/platform/safe-fetch/guard.ts createGuard: extraAuthorities.length*',
    'server/platform/safe-fetch/guard.ts createGuard: ca && { ca } → { ca }',
    'server/platform/safe-fetch/trusted-hosts.ts isTrustedHost: trustedHosts.length === 0 → false',
  ],
  'Fastify has read the type, and its beginning': [
    'server/platform/http/parsing/form.ts module: /^application*',
    "server/platform/http/parsing/form.ts acceptForms: headers['content-type'] ?? '' → headers['content-type']",
  ],
  'a URL begins with a slash': [
    'server/platform/http/parsing/form.ts queryOf: start < 0 → start <= 0',
    'server/platform/http/parsing/form.ts queryOf: 0 → 1',
  ],
  'what is no audio type by then is shown by no kind': [
    "server/features/media/rules.ts servedType: kind === 'audio' → true",
    "server/features/media/rules.ts servedType: kind === 'audio' && type === 'video/ogg' → type === 'video/ogg'",
    'server/features/media/rules.ts servedType: /^video*',
  ],
  'nobody reads a window that has ended': [
    'server/platform/rate-limits.ts undo: window && window.count > 0 && this.#clock.now() < window.resetAt → window && window.count > 0',
    'server/platform/rate-limits.ts undo: this.#clock.now() < window.resetAt → this.#clock.now() <= window.resetAt',
  ],
  'a Redis that does not answer is an error, after which memory counts, too': [
    'server/platform/rate-limits.ts hit: !redis.isAnswering → false',
    'server/platform/rate-limits.ts undo: redis.isAnswering → true',
  ],
  'other values have no entries': [
    "server/platform/http/parsing/strict-json.ts walk: typeof value === 'object' && value !== null → value !== null",
  ],
  'nothing follows the last byte': [
    'server/platform/http/parsing/strict-json.ts refuseExpensive: at < raw.length → at <= raw.length',
  ],
  'a mark that no limit is': ['server/platform/rate-limits.ts module: 1 → 2'],
  'the blocks are constants without a mistake': [
    'server/platform/safe-fetch/address.ts toBlock: throw*',
    'server/platform/safe-fetch/address.ts toBlock: base === undefined → false',
  ],
  'it is set before it is read': ['server/platform/safe-fetch/answer-reader.ts module: 0 → 1'],
  'all has been read, and the loop ends at undefined, too': [
    'server/platform/safe-fetch/answer-reader.ts readPart: text.length → undefined',
    'server/platform/safe-fetch/answer-reader.ts readHead: text.length → undefined',
    'server/platform/safe-fetch/answer-reader.ts readLine: to → undefined',
  ],
  'a head does not begin with its end': [
    'server/platform/safe-fetch/answer-reader.ts readHead: end < 0 → end <= 0',
    'server/platform/safe-fetch/answer-reader.ts readHead: 0 → 1',
  ],
  'the text ends with its first empty line, and each line with its first carriage return': [
    'server/platform/safe-fetch/answer-reader.ts module: /^HTTP* → *\\r\\n/',
    'server/platform/safe-fetch/answer-reader.ts module: /^(content-length* → *\\r/gim',
  ],
  'a body without a length is not counted': [
    'server/platform/safe-fetch/answer-reader.ts parseHead: length ?? 0 → length',
    'server/platform/safe-fetch/answer-reader.ts parseHead: 0 → 1',
  ],
  'any other part is read as a line': [
    "server/platform/safe-fetch/answer-reader.ts partAfter: 'chunk-size' → undefined",
  ],
  'only a server that does not answer would show it': [
    'server/platform/safe-fetch/guard.ts lookupPublicName: 2000 → 2001',
    'server/platform/safe-fetch/guard.ts lookupPublicName: 2 → 3',
    'server/platform/safe-fetch/guard.ts checkForSaving: 3000 → 3001',
    'server/platform/safe-fetch/guard.ts checkForSaving: clearTimeout*',
  ],
  'what an error lacks is undefined': [
    "server/platform/safe-fetch/failure.ts codeOf: error instanceof Error && 'code' in error → error instanceof Error",
  ],
  'an empty host, and what follows a host, are refused below': [
    'server/platform/safe-fetch/url.ts splitUrl: /^https* → *([^/?#]*)([^#]*)/i',
    'server/platform/safe-fetch/url.ts splitUrl: /^(\\[* → *(?::(.*))?/',
  ],
  'both parts are there, or neither': [
    'server/platform/safe-fetch/url.ts splitUrl: authority === undefined || rest === undefined → *',
  ],
  'a number of six digits is too large': [
    'server/platform/safe-fetch/url.ts splitUrl: * → /^[1-9]\\d{0,5}$/',
  ],
  'a message without a text to change has been refused before': [
    'server/features/messages/changes/rules.ts refuseText: editableLength(type) ?? 0 → editableLength(type)',
    'server/features/messages/changes/rules.ts refuseText: 0 → 1',
  ],
  'no time is before null, which counts as 0': [
    'server/features/oauth/rules.ts isHeld: heldUntil !== null && now < heldUntil → now < heldUntil',
  ],
  'a number of four digits is over 255': [
    'server/platform/safe-fetch/address.ts parseIPv4: * → /^(0|[1-9]\\d{0,3})$/',
  ],
  'only a refusal has a reason': [
    "server/platform/safe-fetch/guard.ts checkForSaving: error instanceof Refusal && error.reason === 'private_address' → error.reason === 'private_address'",
  ],
  'it saves a look-up; a refusal would list the scopes of OpenID Connect, too': [
    "server/features/oauth/authorize/authorize.ts readAuthorizationRequest: asksForOpenId(scope) && (await applications.hasExtension(appId, 'openid')) → (await applications.hasExtension(appId, 'openid'))",
  ],
  'an undefined nonce is none': [
    'server/features/oauth/authorize/authorize.ts readAuthorizationRequest: openId && nonce !== undefined → openId',
  ],
  'the link was open a moment before, and a use of it in between counts': [
    'server/features/groups/link-queries.ts takeLink: expires_at > *',
    'server/features/groups/link-queries.ts takeLink: (expires_at is null or*',
  ],
  'a batch that fails is written message by message, and reads what is quoted again': [
    'server/features/messages/queries.ts findQuotable: for key share → nothing',
  ],
  'the orders of concurrent requests find it missing (`npm run interleavings -- --without-guards`)': [
    'server/features/groups/queries.ts keepGroups: for share → nothing',
    'server/features/messages/insert-queries.ts unlessQuoteIsMissing: for key share → nothing',
    'server/features/oauth/queries.ts lockedInOrder: for no key update → nothing',
    'server/features/oauth/queries.ts lockedInOrder: cardinality(* → true',
  ],
  'it only locks; the condition beside it finds the rows': [
    'server/features/oauth/queries.ts lockedInOrder: family_id = any(* → true',
    'server/features/oauth/queries.ts lockedInOrder: cardinality(* >= 0',
  ],
  'a family that has a lineage has a newest token': [
    'server/features/oauth/tokens.ts explain: !isOurs || !grant.refreshHash → !isOurs',
  ],
  'without an access token, it has expired': [
    'server/features/oauth/queries.ts findAccess: access_hash is not null → true',
  ],
  'a family is of one application; a slice only limits the time': [
    'server/features/oauth/connection-queries.ts takeApplicationGrants: *',
  ],
  'a code, token or key is found by its hash alone, which is unique': [
    'server/features/applications/monitoring/queries.ts updateKeysUsed: used.app_id = said.app_id → true',
    'server/features/oauth/queries.ts consumeCode: family_id = *',
    'server/features/oauth/queries.ts rotate: held.family_id = *',
  ],
  'a consumed code has no redirect URI any more': [
    'server/features/oauth/queries.ts consumeCode: code_consumed_at is null → true',
  ],
  'a grant that has ended is refused in any case': [
    'server/features/oauth/queries.ts updateGrantsHeld: ended_at is null → true',
  ],
  'only bots have an application to join': [
    'server/features/groups/members/queries.ts selectReceiverBots: members.bot_app_id is not null → true',
  ],
};

const EXPLAINED = Object.entries(REASONS).flatMap(([reason, names]) =>
  names.map((name) => ({ name, reason, pattern: toPattern(name) })),
);

function toPattern(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** Why the mutant changes nothing. */
export function reasonFor(name: string): string | undefined {
  return EXPLAINED.find(({ pattern }) => pattern.test(name))?.reason;
}

/** Entries about these files that fit none of the survivors. */
export function unusedAmong(survivors: readonly string[], files: readonly string[]): string[] {
  return EXPLAINED.filter(
    ({ name, pattern }) =>
      files.some((file) => name.startsWith(file)) && !survivors.some((survivor) => pattern.test(survivor)),
  ).map(({ name }) => name);
}
