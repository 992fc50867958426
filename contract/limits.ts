/** Every number of the contract's table of limits (§8) and of the field tables (§2). Lengths are Unicode code points. */
export const LIMITS = {
  requestsPerMinute: 60,
  quotaWindowSeconds: 60,
  applicationsPerAccount: 20,
  applicationNameLength: 64,
  botUsernameMinLength: 5,
  botUsernameMaxLength: 32,
  botDescriptionLength: 512,
  botCommands: 50,
  botCommandNameLength: 32,
  botCommandDescriptionLength: 256,
  redirectUris: 20,
  apiKeys: 10,
  teammates: 20,
  apiKeyNameLength: 64,
  textLength: 4096,
  captionLength: 1024,
  locationNameLength: 256,
  urlLength: 2048,
  /** Per application. */
  incomingWebhooks: 100,
  incomingWebhookNameLength: 64,
  /** Large, since GitHub reports many commits in one event. */
  incomingWebhookBytes: 1024 * 1024,
  mentions: 50,
  /** Maximum number of people or applications that an operator's search finds. */
  operatorSearchResults: 50,
  membersPerRequest: 100,
  /** Open invitation links of one group. */
  groupLinks: 20,
  /** People who ask to join a group at one time. */
  joinRequests: 200,
  groupNameLength: 100,
  groupDescriptionLength: 500,
  storyTextLength: 1000,
  pollQuestionLength: 300,
  pollOptionsMin: 2,
  pollOptionsMax: 12,
  pollOptionLength: 100,
  quickReplies: 12,
  quickReplyLabelLength: 64,
  quickReplyValueLength: 128,
  /** For requests whose credential is checked before the body is read. */
  bodyBytes: 256 * 1024,
  /** For all others: sign-in, the pages, `/oauth`. */
  bodyBytesWithoutCredential: 16 * 1024,
  webhookTimeoutMs: 10_000,
  webhookAttempts: 8,
  signatureToleranceSeconds: 300,
  idempotencyHours: 24,
  /** How long people may edit a message, or delete it for everybody. */
  changeHours: 48,
  /** Different emoji on one message, per person and in total. */
  reactionsPerPerson: 8,
  reactionsPerMessage: 20,
  /** In larger groups, read receipts and typing are not shown. */
  receiptsGroupSize: 100,
  /** How long an upload is kept that nothing refers to. */
  unusedUploadHours: 24,
  /** Uploads of one account that run at the same time. */
  uploadsAtOnce: 4,
  /** How long a draft of a bot is shown without an update. */
  draftSeconds: 30,
  pinnedConversations: 20,
  /** Per conversation. */
  pinnedMessages: 50,
  /** Longer than a text may be, since the draft can still be shortened. */
  draftLength: 8192,
  /** Per person; the most recently changed ones are kept. */
  drafts: 200,
  /** An operator's reason for an act. */
  operatorReasonLength: 500,
  /** Of an announcement. */
  noticeLength: 1000,
} as const;

/** The lifetimes, in days, that the members of a conversation may choose for its messages. */
export const LIFETIMES = [1, 7, 30, 90] as const;
