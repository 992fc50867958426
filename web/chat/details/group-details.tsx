import { Divider } from '@mantine/core';
import type { Conversation, ShownGroup } from '#contract/chat.ts';
import { AboutGroup, LeaveOrDelete, Rights } from '../groups/details.tsx';
import { IncomingWebhooks } from '../groups/incoming-webhooks.tsx';
import { JoinRequests } from '../groups/join-requests.tsx';
import { GroupLinks } from '../groups/links.tsx';
import { Members } from '../groups/members.tsx';
import { ReportButton } from '../report/report-button.tsx';
import { ConversationSwitches, HideConversation, Shortcuts } from './conversation-switches.tsx';
import { SharedMenu } from './shared-content.tsx';

/** A group or broadcast list: its members, and what the person may change. */
export function GroupDetails({ conversation, group }: { conversation: Conversation; group: ShownGroup }) {
  const { conversationId, isAdmin } = conversation;
  return (
    <>
      <AboutGroup group={group} isAdmin={isAdmin} />
      {isAdmin && <JoinRequests groupId={group.groupId} />}
      <Shortcuts conversation={conversation} />
      <SharedMenu />
      <Divider />
      <Members group={group} isAdmin={isAdmin} />
      {isAdmin && <GroupLinks groupId={group.groupId} />}
      <Divider />
      <ConversationSwitches conversation={conversation} />
      {isAdmin && !group.isBroadcast && (
        <>
          <Divider />
          <Rights group={group} />
          <IncomingWebhooks groupId={group.groupId} />
        </>
      )}
      <Divider />
      <HideConversation conversationId={conversationId} />
      <LeaveOrDelete group={group} isAdmin={isAdmin} />
      {!(group.isBroadcast && isAdmin) && <ReportButton conversationId={conversationId} />}
    </>
  );
}
