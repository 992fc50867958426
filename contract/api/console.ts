import { Type } from 'typebox';
import { AuditPage, AuditQuery } from '../applications/audit.ts';
import {
  ConsentPreview,
  ConsentPreviewQuery,
  ConsoleHome,
  ErrorGroups,
  Overview,
  RequestFilter,
  RequestPage,
  Usage,
  UsageQuery,
} from '../applications/monitoring.ts';
import { GivenRole, InvitationToken, Invited, NewInvitation, Team } from '../applications/team.ts';
import {
  ApiKeyInfo,
  AppId,
  Application,
  ChangeApiKey,
  CreateApiKey,
  Extension,
  NamedApplication,
  NewApplication,
  RedirectUri,
  WebhookUrl,
} from '../applications.ts';
import { Bot, BotUsernames, BotUsernamesQuery, ChangeBot, CreateApplication, CreateBot } from '../bots.ts';
import { endpoints } from '../endpoints.ts';
import { Success } from '../envelope.ts';
import { id } from '../ids.ts';
import { ApplicationGrants } from '../oauth.ts';
import { BackchannelLogoutUri, OpenIdSettings, PostLogoutRedirectUri } from '../openid.ts';
import { ApplicationWebhooks, IncomingWebhookId } from '../webhooks/incoming-webhooks.ts';
import { RenewWebhookSecret } from '../webhooks.ts';
import { WEBHOOKS } from './console/webhooks.ts';

const OfApplication = Type.Object({ appId: AppId });
const Removed = Type.Object({ removed: Type.Literal(true) });
const Revoked = Type.Object({ revoked: Type.Literal(true) });
const RedirectUris = Type.Object({ redirectUris: Type.Array(Type.String()) });

/** The endpoints of the developers' console. */
export const CONSOLE = endpoints('person', '/api/console', {
  'POST /invitations/show': { body: InvitationToken, reply: Invited, message: 'invitation' },
  'POST /invitations/accept': { body: InvitationToken, reply: OfApplication, message: 'you are in the team' },
  'GET /home': { reply: ConsoleHome, message: 'your applications' },
  'GET /bot-usernames': {
    query: BotUsernamesQuery,
    reply: BotUsernames,
    message: 'what a bot can be called',
  },
  'POST /applications': {
    needs: 'recent-sign-in',
    body: CreateApplication,
    reply: NewApplication,
    message: 'application created; its secrets are shown this once',
    status: 201,
  },
});

/** Those about one application. */
export const APPLICATION = endpoints('developer', '/api/console', {
  ...WEBHOOKS,
  'PUT /applications/:appId/webhook-url': {
    needs: 'recent-sign-in',
    body: WebhookUrl,
    reply: WebhookUrl,
    message: 'webhook URL set',
  },
  'DELETE /applications/:appId/webhook-url': {
    needs: 'recent-sign-in',
    reply: Removed,
    message: 'webhook URL removed',
  },
  'POST /applications/:appId/redirect-uris': {
    needs: 'recent-sign-in',
    body: RedirectUri,
    reply: RedirectUris,
    message: 'redirect URI registered',
  },
  'DELETE /applications/:appId/redirect-uris': {
    needs: 'recent-sign-in',
    body: RedirectUri,
    reply: RedirectUris,
    message: 'redirect URI removed',
  },
  'GET /applications/:appId': { reply: Application, message: 'application' },
  'PATCH /applications/:appId': {
    body: NamedApplication,
    reply: Application,
    message: 'application renamed',
  },
  'POST /applications/:appId/disable': { role: 'owner', reply: Application, message: 'application disabled' },
  'POST /applications/:appId/reactivate': {
    role: 'owner',
    reply: Application,
    message: 'application reactivated',
  },
  'DELETE /applications/:appId': {
    needs: 'recent-sign-in',
    role: 'owner',
    reply: Type.Object({ deleted: Type.Literal(true) }),
    message: 'application deleted',
  },
  'POST /applications/:appId/api-key': {
    needs: 'recent-sign-in',
    reply: Type.Object({ apiKey: Type.String() }),
    message: 'new API key, shown this once; every other is revoked',
  },
  'POST /applications/:appId/api-keys': {
    needs: 'recent-sign-in',
    body: CreateApiKey,
    reply: Type.Object({ ...ApiKeyInfo.properties, apiKey: Type.String() }),
    message: 'new API key, shown this once; the others stay',
    status: 201,
  },
  'PATCH /applications/:appId/api-keys/:fingerprint': {
    body: ChangeApiKey,
    reply: ApiKeyInfo,
    message: 'API key changed',
  },
  'DELETE /applications/:appId/api-keys/:fingerprint': {
    needs: 'recent-sign-in',
    reply: Revoked,
    message: 'API key revoked',
  },
  'POST /applications/:appId/client-secret': {
    needs: 'recent-sign-in',
    reply: Type.Object({ clientSecret: Type.String() }),
    message: 'new client secret, shown this once; the old one is dead',
  },
  'POST /applications/:appId/webhook-secret': {
    needs: 'recent-sign-in',
    body: RenewWebhookSecret,
    reply: Type.Object({ webhookSecret: Type.String() }),
    message: 'new webhook secret, shown this once; it signs from now on',
  },
  'DELETE /applications/:appId/webhook-secret/previous': {
    needs: 'recent-sign-in',
    reply: Type.Object({ ended: Type.Literal(true) }),
    message: 'only the newest webhook secret signs from now on',
  },
  'POST /applications/:appId/extensions': {
    needs: 'recent-sign-in',
    role: 'owner',
    body: Type.Object({ extension: Extension }),
    reply: Type.Object({ extensions: Type.Array(Extension) }),
    message: 'extension switched on',
  },
  'DELETE /applications/:appId/extensions': {
    role: 'owner',
    body: Type.Object({ extension: Extension }),
    reply: Type.Object({ extensions: Type.Array(Extension) }),
    message: 'extension switched off',
  },
  'GET /applications/:appId/requests': {
    query: RequestFilter,
    reply: RequestPage,
    message: 'requests, newest first',
  },
  'GET /applications/:appId/requests/errors': { reply: ErrorGroups, message: 'errors, grouped' },
  'GET /applications/:appId/overview': { reply: Overview, message: 'the last 24 hours' },
  'GET /applications/:appId/usage': { query: UsageQuery, reply: Usage, message: 'usage' },
  'GET /applications/:appId/audit': { query: AuditQuery, reply: AuditPage, message: 'changes, newest first' },
  'GET /applications/:appId/team': { reply: Team, message: 'team' },
  'POST /applications/:appId/team/invitations': {
    needs: 'recent-sign-in',
    role: 'owner',
    body: GivenRole,
    reply: NewInvitation,
    message: 'invitation, shown this once',
    status: 201,
  },
  'DELETE /applications/:appId/team/invitations/:fingerprint': {
    role: 'owner',
    reply: Type.Object({ withdrawn: Type.Literal(true) }),
    message: 'invitation withdrawn',
  },
  'PATCH /applications/:appId/team/:userId': {
    needs: 'recent-sign-in',
    role: 'owner',
    body: GivenRole,
    reply: Team,
    message: 'role changed',
  },
  'DELETE /applications/:appId/team/:userId': {
    role: 'viewer',
    reply: Removed,
    message: 'removed from the team',
  },
  'POST /applications/:appId/bot': { body: CreateBot, reply: Bot, message: 'bot created', status: 201 },
  'GET /applications/:appId/bot': { reply: Bot, message: 'bot' },
  'PATCH /applications/:appId/bot': { body: ChangeBot, reply: Bot, message: 'bot changed' },
  'GET /applications/:appId/incoming-webhooks': { reply: ApplicationWebhooks, message: 'incoming webhooks' },
  'DELETE /applications/:appId/incoming-webhooks': {
    body: Type.Object({ webhookId: IncomingWebhookId }),
    reply: Revoked,
    message: 'incoming webhook revoked',
  },
  'GET /applications/:appId/grants': {
    query: Type.Object({ before: Type.Optional(id()) }),
    reply: ApplicationGrants,
    message: 'grants',
  },
  'GET /applications/:appId/openid': { reply: OpenIdSettings, message: 'OpenID Connect' },
  'PUT /applications/:appId/openid/backchannel-logout-uri': {
    needs: 'recent-sign-in',
    body: BackchannelLogoutUri,
    reply: OpenIdSettings,
    message: 'back-channel logout URI set',
  },
  'DELETE /applications/:appId/openid/backchannel-logout-uri': {
    needs: 'recent-sign-in',
    reply: OpenIdSettings,
    message: 'back-channel logout URI removed',
  },
  'POST /applications/:appId/openid/post-logout-redirect-uris': {
    needs: 'recent-sign-in',
    body: PostLogoutRedirectUri,
    reply: OpenIdSettings,
    message: 'post-logout redirect URI registered',
  },
  'DELETE /applications/:appId/openid/post-logout-redirect-uris': {
    needs: 'recent-sign-in',
    body: PostLogoutRedirectUri,
    reply: OpenIdSettings,
    message: 'post-logout redirect URI removed',
  },
  'GET /applications/:appId/consent-preview': {
    query: ConsentPreviewQuery,
    reply: Success(ConsentPreview),
    isRaw: true,
  },
});
