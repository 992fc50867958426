import type { AccountHook, Accounts } from '#features/accounts/index.ts';
import { departureRoutes, profileRoutes } from '#features/accounts/profile/routes.ts';
import { confirmRoutes, passkeyRoutes, twoFactorRoutes } from '#features/accounts/second-factor/routes.ts';
import { createSessionCookie } from '#features/accounts/sessions/session-cookie.ts';
import { ownAccountRoutes, signInRoutes } from '#features/accounts/sign-in/routes.ts';
import type { Throttle } from '#features/accounts/sign-in/throttle.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { guardPages, requirePerson } from './person.ts';

/** The door at `/api/auth`: the ways in for strangers, and what a person does with the own account. */
export async function auth(
  app: App,
  platform: Platform & { accounts: Accounts; throttle: Throttle; accountHooks: readonly AccountHook[] },
): Promise<void> {
  const deps = { ...platform, cookie: createSessionCookie(platform.config) };
  await app.register(async (door) => {
    guardPages(door, platform);
    signInRoutes(door, deps);
  });
  await app.register(async (door) => {
    requirePerson(door, platform);
    ownAccountRoutes(door, deps);
    confirmRoutes(door, deps);
    passkeyRoutes(door, deps);
    twoFactorRoutes(door, deps);
    profileRoutes(door, deps);
    departureRoutes(door, deps, platform.accountHooks);
  });
}
