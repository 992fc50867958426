import type { AccountFollower } from '#features/accounts/follower.ts';
import { createApplicationAccountFollower } from '#features/applications/account-follower.ts';
import type { ApplicationFollower } from '#features/applications/follower.ts';
import { createBotAccountFollower } from '#features/bots/account-follower.ts';
import { botFollower } from '#features/bots/service.ts';
import { createGroupAccountFollower } from '#features/groups/account-follower.ts';
import { createGroupFollower } from '#features/groups/follower.ts';
import { createMessageAccountFollower } from '#features/messages/account-follower.ts';
import { createOAuthAccountFollower } from '#features/oauth/account-follower.ts';
import { oauthFollower } from '#features/oauth/follower.ts';
import { createPollAccountFollower } from '#features/polls/account-follower.ts';
import { createSimulatorAccountFollower } from '#features/simulator/account-follower.ts';
import { createStoryAccountFollower } from '#features/stories/account-follower.ts';
import { alertFollower } from '#features/webhooks/alerts/follower.ts';
import { deliveryFollower } from '#features/webhooks/service.ts';
import type { Platform } from '#platform/platform.ts';

/** Those who have their share in what happens to an application. */
export function createApplicationFollowers(platform: Platform): ApplicationFollower[] {
  return [
    botFollower,
    createGroupFollower(platform),
    deliveryFollower(platform),
    oauthFollower,
    alertFollower,
  ];
}

/** Those who hold data of people. */
export function createAccountFollowers(platform: Platform): AccountFollower[] {
  return [
    createApplicationAccountFollower(platform, createApplicationFollowers(platform)),
    createBotAccountFollower(platform),
    createGroupAccountFollower(platform),
    createMessageAccountFollower(platform),
    createSimulatorAccountFollower(createMessageAccountFollower(platform)),
    createPollAccountFollower(platform),
    createStoryAccountFollower(platform),
    createOAuthAccountFollower(platform),
  ];
}
