import type { PersonLimits } from '#contract/operate/people.ts';
import { type AccountHook, createAccounts } from '#features/accounts/index.ts';
import { type ApplicationHook, createApplications } from '#features/applications/index.ts';
import { createBots } from '#features/bots/index.ts';
import { createContacts } from '#features/contacts/index.ts';
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
import { createSimulator } from '#features/simulator/index.ts';
import { createStories } from '#features/stories/index.ts';
import { createWebhooks } from '#features/webhooks/index.ts';
import { type App, createApp } from '#platform/http/app.ts';
import { measureRequests } from '#platform/http/request-metrics.ts';
import type { Platform } from '#platform/platform.ts';
import { chat } from '#surfaces/chat.ts';
import { consoleSurface } from '#surfaces/console.ts';
import { docs } from '#surfaces/docs/routes.ts';
import { everybody } from '#surfaces/everybody.ts';
import { health } from '#surfaces/health.ts';
import { hooks } from '#surfaces/hooks.ts';
import { mailLinks } from '#surfaces/mail-links.ts';
import { mcp } from '#surfaces/mcp/routes.ts';
import { collectTools } from '#surfaces/mcp/tools.ts';
import { metricsRoute } from '#surfaces/metrics.ts';
import { authorize } from '#surfaces/oauth/authorize.ts';
import { logout } from '#surfaces/oauth/logout.ts';
import { oauth } from '#surfaces/oauth/oauth.ts';
import { openIdPosts } from '#surfaces/oauth/openid-posts.ts';
import { reference } from '#surfaces/openapi/reference.ts';
import { operate } from '#surfaces/operate/operate.ts';
import { signInPages } from '#surfaces/pages/sign-in.ts';
import { auth } from '#surfaces/people/auth.ts';
import { v1 } from '#surfaces/v1.ts';
import { pageForUnknown, web } from '#surfaces/web.ts';
import { createLiveHealth } from './health/live.ts';

/**
 * Creates every feature once, from the platform and the faces of the features before it. A feature's batches, caches and
 * counters belong to its face, so that all requests and workers of a process share them.
 */
export function composeFeatures(platform: Platform) {
  const media = createMedia(platform, {
    findOwnLimits: (accountId): Promise<PersonLimits | undefined> => accounts.findOwnLimits(accountId),
  });
  const accounts = createAccounts(platform, { media });
  const applicationHooks: ApplicationHook[] = [];
  const applications = createApplications(platform, { accounts, hooks: applicationHooks });
  const accountHooks: AccountHook[] = [];
  const bots = createBots(platform, { media, accounts, applications, accountHooks });
  const contacts = createContacts(platform, { accounts });
  const groupHooks: GroupHook[] = [];
  const groups = createGroups(platform, { accounts, bots, contacts, media, hooks: groupHooks });
  const webhooks = createWebhooks(platform, { accounts, applications, bots });
  const push = createPush(platform);
  const messageHooks: MessageHook[] = [];
  const messages = createMessages(platform, {
    accounts,
    applications,
    bots,
    contacts,
    groups,
    media,
    webhooks,
    push,
    hooks: messageHooks,
  });
  const polls = createPolls(platform, { groups, messages });
  const reports = createReports(platform, { accounts, media, messages });
  const simulator = createSimulator(platform, {
    accounts,
    applications,
    bots,
    contacts,
    messages,
    polls,
    webhooks,
  });
  const stories = createStories(platform, { accounts, contacts, groups, messages });
  const incomingWebhooks = createIncomingWebhooks(platform, {
    accounts,
    applications,
    bots,
    groups,
    messages,
  });
  const oauth = createOAuth(platform, { accounts, applications });
  const managementBot = createManagementBot(platform, {
    accounts,
    applications,
    bots,
    contacts,
    messages,
    webhooks,
  });
  const operators = createOperators(platform, {
    accounts,
    applications,
    groups,
    webhooks,
    messages,
    reports,
    oauth,
    managementBot,
    accountHooks,
    findHealth: createLiveHealth({ ...platform, applications, webhooks }),
  });
  groupHooks.push(messages.groupHook);
  messageHooks.push(polls.messageHook);
  applicationHooks.push(
    applications.applicationHook,
    bots.applicationHook,
    groups.applicationHook,
    webhooks.applicationHook,
    oauth.applicationHook,
    incomingWebhooks.applicationHook,
  );
  accountHooks.push(
    applications.accountHook,
    bots.accountHook,
    groups.accountHook,
    messages.accountHook,
    simulator.accountHook,
    polls.accountHook,
    stories.accountHook,
    oauth.accountHook,
    push.accountHook,
    operators.accountHook,
    reports.accountHook,
  );
  return {
    media,
    accounts,
    applications,
    bots,
    contacts,
    groups,
    webhooks,
    push,
    messages,
    polls,
    reports,
    simulator,
    stories,
    incomingWebhooks,
    oauth,
    operators,
    managementBot,
    accountHooks,
    async [Symbol.asyncDispose]() {
      messages.endLive();
      push[Symbol.dispose]();
      await oauth.ledger[Symbol.asyncDispose]();
      await applications.recorder[Symbol.asyncDispose]();
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
  const tools = collectTools(app);
  await open(v1);
  await open((scope, given) => mcp(scope, given, tools));
  await open(auth, '/api/auth');
  await open(signInPages);
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
  await open(docs);
  await open(web);
  return app;
}
