import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { Reports } from './index.ts';

/** A person reports somebody, or a group, to the operator. */
export function reportChatRoutes(reports: Reports) {
  return [
    serve(CHAT, {
      'POST /reports': ({ person, body, reserved }) => reports.create(person.accountId, body, reserved),
    }),
  ];
}
