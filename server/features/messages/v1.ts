import { V1 } from '#contract/api/v1.ts';
import { serve } from '#platform/http/serve.ts';
import type { Senders } from './senders.ts';

/** Messages of bots to people (contract §4). */
export function messageRoutes(senders: Senders) {
  return [
    serve(V1, {
      'POST /v1/messages': ({ actor, body, reserved }) => senders.sendPrivate(actor, body, reserved),
    }),
  ];
}

/** The two routes for writing into a group: for bots, and for bots and consenting people (contract §4). */
export function groupMessageRoutes(senders: Senders) {
  return [
    serve(V1, {
      'POST /v1/messages/group': ({ actor, body, reserved }) => senders.sendToGroup(actor, body, reserved),
      'POST /v1/groups/broadcast': ({ actor, body, reserved }) => senders.sendToGroup(actor, body, reserved),
    }),
  ];
}
