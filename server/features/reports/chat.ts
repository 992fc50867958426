import { CreatedReport, CreateReport } from '#contract/chat/reports.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Reports } from './index.ts';

/** A person reports somebody, or a group, to the operator. */
export function reportChatRoutes(chat: ChatRoutes, reports: Reports): void {
  chat.post(
    '/reports',
    { body: CreateReport, reply: CreatedReport, message: 'reported', creates: 'rpt' },
    ({ person, body, reserved }) => reports.create(person.accountId, body, reserved),
  );
}
