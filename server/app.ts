import { ACCOUNT, SIGN_IN } from '#contract/api/auth.ts';
import { CHAT } from '#contract/api/chat.ts';
import { APPLICATION, CONSOLE } from '#contract/api/console.ts';
import { OAUTH } from '#contract/api/oauth.ts';
import { OPERATE } from '#contract/api/operate.ts';
import { OPENID, PUBLIC } from '#contract/api/public.ts';
import { SCIM } from '#contract/api/scim.ts';
import { SIMULATOR } from '#contract/api/simulator.ts';
import { V1 } from '#contract/api/v1.ts';
import type { PersonLimits } from '#contract/operate/people.ts';
import { type AccountHook, createAccounts } from '#features/accounts/index.ts';
import { type ApplicationHook, createApplications } from '#features/applications/index.ts';
import { createBots } from '#features/bots/index.ts';
import { type ContactHook, createContacts } from '#features/contacts/index.ts';
import { createGroups, type GroupHook } from '#features/groups/index.ts';
import { createIncomingWebhooks } from '#features/incoming-webhooks/index.ts';
import { createManagementBot } from '#features/management-bot/index.ts';
import { createMedia } from '#features/media/index.ts';
import { createMessages, type MessageHook } from '#features/messages/index.ts';
import { createOAuth } from '#features/oauth/index.ts';
import { createOperators } from '#features/operators/index.ts';
import { createPolls } from '#features/polls/index.ts';
import { createPush } from '#features/push/index.ts';
import { createReports } from '#features/reports/index.ts';
import { createSignInProviders, findTakesPasswords, hasProvider } from '#features/sign-in-providers/index.ts';
import { createSimulator } from '#features/simulator/index.ts';
import { createStories } from '#features/stories/index.ts';
import { createWebhooks, MemoryQueue } from '#features/webhooks/index.ts';
import { type App, createApp } from '#platform/http/app.ts';
import { measureRequests } from '#platform/http/request-metrics.ts';
import { answering } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { docs } from '#surfaces/docs/routes.ts';
import { everybody, health } from '#surfaces/everybody.ts';
import { hooks } from '#surfaces/hooks.ts';
import { mailLinks } from '#surfaces/mail-links.ts';
import { mcp } from '#surfaces/mcp/routes.ts';
import { metricsRoute } from '#surfaces/metrics.ts';
import { authorize } from '#surfaces/oauth/authorize.ts';
import { consentPreviewRoute } from '#surfaces/oauth/consent-preview.ts';
import { logout } from '#surfaces/oauth/logout.ts';
import { oauth } from '#surfaces/oauth/oauth.ts';
import { openIdPosts } from '#surfaces/oauth/openid-posts.ts';
import { reference } from '#surfaces/openapi/reference.ts';
import { providerPages } from '#surfaces/pages/provider.ts';
import { signInPages } from '#surfaces/pages/sign-in.ts';
import { auth, chat, consoleSurface, operate } from '#surfaces/people/surfaces.ts';
import { scim } from '#surfaces/scim.ts';
import { v1 } from '#surfaces/v1.ts';
import { pageForUnknown, web } from '#surfaces/web.ts';
import { createLiveHealth } from './health/live.ts';

const TABLES = [
  V1,
  OAUTH,
  PUBLIC,
  OPENID,
  SIGN_IN,
  ACCOUNT,
  CHAT,
  CONSOLE,
  APPLICATION,
  SIMULATOR,
  OPERATE,
  SCIM,
];

interface FeatureHooks {
  account?: AccountHook;
  application?: ApplicationHook;
  contact?: ContactHook;
  group?: GroupHook;
  message?: MessageHook;
}

/** One part of every feature, by name. */
function partOf<Features extends Record<string, { [P in Part]: unknown }>, Part extends string>(
  features: Features,
  part: Part,
) {
  const parts = Object.entries(features).map(([name, feature]) => [name, feature[part]]);
  return Object.fromEntries(parts) as { [Name in keyof Features]: Features[Name][Part] };
}

/**
 * Creates every feature once, from the platform and the faces of the features before it. A feature's batches, caches and
 * counters belong to its face, so that all requests and workers of a process share them.
 *
 * @param memoryQueue shared by the features that store messages and those that deliver them
 */
export function composeFeatures(platform: Platform, memoryQueue = new MemoryQueue(platform.clock)) {
  const hooks: { [Kind in keyof FeatureHooks]-?: NonNullable<FeatureHooks[Kind]>[] } = {
    account: [],
    application: [],
    contact: [],
    group: [],
    message: [],
  };
  const media = createMedia({
    ...platform,
    findOwnLimits: (accountId): Promise<PersonLimits | undefined> => accounts.api.findOwnLimits(accountId),
  });
  const accounts = createAccounts({
    ...platform,
    ...{ media: media.api, hooks: hooks.account },
    takesPasswords: () => findTakesPasswords(platform.db),
    hasProvider: (providerId) => hasProvider(platform.db, providerId),
  });
  const signInProviders = createSignInProviders({
    ...platform,
    accounts: accounts.api,
    setOperator: (tx, operator) => operators.api.setByProvider(tx, operator),
    recordAct: (tx, act) => operators.api.recordAct(tx, act),
  });
  const applications = createApplications({ ...platform, accounts: accounts.api, hooks: hooks.application });
  const known = { media: media.api, accounts: accounts.api, applications: applications.api };
  const bots = createBots({ ...platform, ...known, accountHooks: hooks.account });
  const contacts = createContacts({ ...platform, ...known, hooks: hooks.contact });
  const talking = { ...known, bots: bots.api, contacts: contacts.api };
  const groups = createGroups({ ...platform, ...talking, hooks: hooks.group });
  const webhooks = createWebhooks({ ...platform, ...talking, groups: groups.api, memoryQueue });
  const push = createPush({ ...platform, accounts: accounts.api });
  const writing = { ...talking, groups: groups.api, webhooks: webhooks.api, push: push.api };
  const messages = createMessages({ ...platform, ...writing, hooks: hooks.message });
  const chatting = { ...writing, messages: messages.api };
  const polls = createPolls({ ...platform, ...chatting });
  const reports = createReports({ ...platform, ...chatting });
  const simulator = createSimulator({
    ...platform,
    ...chatting,
    polls: polls.api,
    accountHooks: hooks.account,
  });
  const stories = createStories({ ...platform, ...chatting });
  const incomingWebhooks = createIncomingWebhooks({ ...platform, ...chatting });
  const oauth = createOAuth({ ...platform, ...known });
  const managementBot = createManagementBot(platform, chatting);
  const operators = createOperators({
    ...platform,
    ...chatting,
    reports: reports.api,
    providers: signInProviders.api,
    oauth: oauth.api,
    findHealth: createLiveHealth({ ...platform, ...chatting }),
  });
  // Hooks run in this order.
  const features = {
    media,
    accounts,
    signInProviders,
    applications,
    bots,
    contacts,
    groups,
    messages,
    simulator,
    polls,
    stories,
    webhooks,
    oauth,
    push,
    operators,
    reports,
    incomingWebhooks,
  };
  for (const { hooks: own } of Object.values<{ hooks: FeatureHooks }>(features)) {
    if (own.account) hooks.account.push(own.account);
    if (own.application) hooks.application.push(own.application);
    if (own.contact) hooks.contact.push(own.contact);
    if (own.group) hooks.group.push(own.group);
    if (own.message) hooks.message.push(own.message);
  }
  return {
    ...partOf(features, 'api'),
    managementBot,
    memoryQueue,
    hooks: partOf(features, 'hooks'),
    routes: answering(TABLES, [
      ...Object.values(features).flatMap<(typeof features)[keyof typeof features]['routes'][number]>(
        ({ routes }) => routes,
      ),
      consentPreviewRoute({ ...platform, applications: applications.api }),
    ]),
    async [Symbol.asyncDispose]() {
      messages.api.endLive();
      push.api[Symbol.dispose]();
      await oauth.api.ledger[Symbol.asyncDispose]();
      await applications.api.recorder[Symbol.asyncDispose]();
    },
  };
}

export type Features = ReturnType<typeof composeFeatures>;

/** The HTTP application with every surface registered; it does not listen yet. */
export async function createHttp(
  platform: Platform,
  features: Features = composeFeatures(platform),
  app: App = createApp(platform),
): Promise<App> {
  measureRequests(app, platform);
  const answerUnknown = await pageForUnknown(app, platform);
  const deps = { ...platform, ...features, answerUnknown };
  const open = (surface: (app: App, given: typeof deps) => Promise<void>, prefix = '') =>
    app.register((scope) => surface(scope, deps), { prefix });
  app.addHook('onClose', () => features[Symbol.asyncDispose]());
  await reference(app, platform.config);
  await open(health);
  await open(metricsRoute);
  await open(v1);
  await open(mcp);
  await open(auth, '/api/auth');
  await open(signInPages);
  await open(providerPages);
  await open(mailLinks);
  await open(authorize);
  await open(logout);
  await open(openIdPosts);
  await open(everybody);
  await open(oauth);
  await open(hooks);
  await open(consoleSurface, '/api/console');
  await open(chat, '/api/chat');
  await open(operate, '/api/operate');
  await open(scim, '/scim/v2');
  await open(docs);
  await open(web);
  return app;
}
