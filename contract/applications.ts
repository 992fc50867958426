import { type Static, Type } from 'typebox';
import { ROLES } from './choices.ts';
import { visibleName, visibleText } from './fields.ts';
import { id } from './ids.ts';
import { LIMITS } from './limits.ts';
import { KEY_SCOPES } from './scopes.ts';
import { CHOSEN_EVENT_TYPES } from './webhooks/event-types.ts';

/** The states of an application (contract §3). A deleted application is not shown to anybody. */
export type ApplicationState = 'active' | 'disabled' | 'suspended' | 'deleted';

/** The App ID, which is also the OAuth `client_id` (contract §2). */
export const AppId = id({
  description: 'App ID of an application; equal to its OAuth `client_id`.',
  examples: ['app_06f2c8k4x1m9q7t3w5z8b2n4'],
});

/** Body of creating or renaming an application. The bot's displayed name follows this name (contract §2). */
export const NamedApplication = Type.Object({ name: visibleName(LIMITS.applicationNameLength) });

/**
 * Features and events beyond the contract, each off until the application's owner enables it (decisions: Beyond the
 * contract).
 */
export const EXTENSIONS = [
  'openid',
  'incoming_webhooks',
  'mcp',
  'quiet_in_groups',
  ...CHOSEN_EVENT_TYPES,
] as const;

export const Extension = Type.Enum(EXTENSIONS);

export type Extension = Static<typeof Extension>;

/** An application in its owner's list. Times are epoch milliseconds. */
export const ApplicationSummary = Type.Object({
  appId: AppId,
  name: Type.String(),
  state: Type.Enum(['active', 'disabled', 'suspended']),
  createdAt: Type.Integer(),
});

export type ApplicationSummary = Static<typeof ApplicationSummary>;

/** The id of an API key. */
export const Fingerprint = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the whole key, in hex.',
});

/** An API key without the key itself, which is shown only when it is created (contract §2). */
export const ApiKeyInfo = Type.Object({
  fingerprint: Fingerprint,
  name: Type.String(),
  scopes: Type.Array(Type.Enum(KEY_SCOPES)),
  createdAt: Type.Integer(),
  lastUsedAt: Type.Optional(
    Type.Integer({ description: 'Omitted if it has never been used. May be up to a minute old.' }),
  ),
});

export type ApiKeyInfo = Static<typeof ApiKeyInfo>;

const keyScopes = Type.Array(Type.Enum(KEY_SCOPES), { minItems: 1, uniqueItems: true });

/** Body of adding an API key; without `scopes` it gets the default ones. */
export const CreateApiKey = Type.Object({
  name: visibleText(LIMITS.apiKeyNameLength),
  scopes: Type.Optional(keyScopes),
});

export type CreateApiKey = Static<typeof CreateApiKey>;

/** Body of changing an API key: omitted fields remain as they are. */
export const ChangeApiKey = Type.Partial(CreateApiKey);

export type ChangeApiKey = Static<typeof ChangeApiKey>;

/** An application as its owner sees it in the console, without its secrets. */
export const Application = Type.Object({
  ...ApplicationSummary.properties,
  role: Type.Enum(ROLES, { description: 'Your role in its team.' }),
  apiKeys: Type.Array(ApiKeyInfo, { description: 'Keys that are not revoked, the oldest first.' }),
  clientSecretCreatedAt: Type.Integer(),
  webhookSecret: Type.Object({
    createdAt: Type.Integer(),
    previousSignsUntil: Type.Optional(
      Type.Integer({ description: 'Until when the previous secret also signs; omitted if it does not.' }),
    ),
  }),
  webhookUrl: Type.Optional(Type.String()),
  isWebhookUrlUnreadable: Type.Optional(
    Type.Literal(true, {
      description: 'A webhook URL is set, but the stored value cannot be read: set it again.',
    }),
  ),
  redirectUris: Type.Array(Type.String()),
  extensions: Type.Array(Extension, { description: 'The extensions that are enabled.' }),
  requestsPerMinute: Type.Integer(),
});

export type Application = Static<typeof Application>;

/** The credentials of a new application, shown only once (contract §2). */
export const NewApplication = Type.Object({
  appId: AppId,
  clientId: AppId,
  clientSecret: Type.String(),
  apiKey: Type.String(),
  webhookSecret: Type.String(),
});

export type NewApplication = Static<typeof NewApplication>;

/** Body of setting the webhook URL: `https://`, public, at most 2,048 characters (contract §6). */
export const WebhookUrl = Type.Object({ webhookUrl: Type.String() });

/** Body of adding or removing a redirect URI: `https://…`, or `http://localhost` with any port (contract §5.4). */
export const RedirectUri = Type.Object({ redirectUri: Type.String() });
