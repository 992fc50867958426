import { CHAT } from '#contract/api/chat.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { App } from '#platform/http/app.ts';
import { mount, type Served } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { forPeople, requirePerson, requireTerms } from './people/person.ts';

/** The surface at `/api/chat`: conversations of people. */
export async function chat(
  app: App,
  platform: Platform & { accounts: Accounts; routes: readonly Served[] },
): Promise<void> {
  requirePerson(app, platform);
  requireTerms(app, platform);
  mount(app, platform, forPeople('chat'), CHAT, platform.routes);
}
