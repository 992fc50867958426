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
  /** Of one application. */
  incomingWebhooks: 100,
  incomingWebhookNameLength: 64,
  /** GitHub tells of many commits at once. */
  incomingWebhookBytes: 1024 * 1024,
  mentions: 50,
  /** How many people or applications an operator's search finds. */
  operatorSearchResults: 50,
  membersPerRequest: 100,
  groupNameLength: 100,
  groupDescriptionLength: 500,
  storyTextLength: 1000,
  pollQuestionLength: 300,
  pollOptionsMin: 2,
  pollOptionsMax: 12,
  pollOptionLength: 100,
  bodyBytes: 256 * 1024,
  webhookTimeoutMs: 10_000,
  webhookAttempts: 8,
  signatureToleranceSeconds: 300,
  idempotencyHours: 24,
  /** How long people may edit a message, or delete it for everybody. */
  changeHours: 48,
  /** Different emoji of one person, and of everybody, on one message. */
  reactionsPerPerson: 8,
  reactionsPerMessage: 20,
  /** In larger groups nobody is told who has read and who is typing. */
  receiptsGroupSize: 100,
  pinnedConversations: 20,
  /** In one conversation. */
  pinnedMessages: 50,
  /** Longer than a text may be: it may still be cut. */
  draftLength: 8192,
  /** Of one person; those that were changed last. */
  drafts: 200,
  /** Why an operator did something. */
  operatorReasonLength: 500,
  /** Of what operators tell everybody. */
  noticeLength: 1000,
} as const;

/** How many days the people of a conversation may keep its messages. */
export const LIFETIMES = [1, 7, 30, 90] as const;
