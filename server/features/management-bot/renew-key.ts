import type { OwnBot } from '#features/bots/index.ts';
import { says } from './input.ts';
import { TEXTS } from './texts.ts';
import { noteMade, ownOf, type Reply, refuseToMake, type Turn } from './turn.ts';

export function askRenewal(turn: Turn, { appId, username }: OwnBot): Reply {
  const refusal = refuseToMake(turn, 'secrets');
  if (refusal !== undefined) return { text: refusal };
  return { text: TEXTS.askRenew(username), next: { kind: 'renewal', appId } };
}

/** The old key is invalid once this answer commits. */
export async function takeRenewal(turn: Turn, bot: OwnBot, text: string): Promise<Reply> {
  const { appId, username, state } = bot;
  if (says('no', text)) return { text: TEXTS.kept };
  const refusal = refuseToMake(turn, 'secrets');
  if (!says('yes', text) || refusal !== undefined)
    return { text: refusal ?? TEXTS.askRenew(username), next: { kind: 'renewal', appId } };
  const apiKey = await turn.deps.applications.regenerateApiKey(ownOf(turn, appId));
  noteMade(turn, 'secrets');
  const renewed = TEXTS.renewed({ username, apiKey, url: turn.serverUrl });
  return {
    text: state === 'active' ? renewed : renewed + TEXTS.asleep(state),
    next: { kind: 'done' },
    isSecret: true,
    afterCommit: (committed) => committed.applications.announceRevocation(appId),
  };
}
