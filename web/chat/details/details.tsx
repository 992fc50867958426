import { Divider, Drawer, Stack } from '@mantine/core';
import { useLocation, useNavigate, useParams } from 'react-router';
import { isOverlayOpen } from '../../ui/parts/use-back-closes.ts';
import { useTexts } from '../../ui/texts.ts';
import { useConversation } from '../conversations/use-conversation.ts';
import { GroupDetails } from '../groups/details.tsx';
import { ReportButton } from '../report/report-button.tsx';
import { ConversationSwitches } from './conversation-switches.tsx';
import { PeerDetails } from './peer-details.tsx';

/** The details of a conversation and the actions on it, beside the thread. */
export function Component() {
  const t = useTexts();
  const { conversationId = '' } = useParams();
  const { data: conversation } = useConversation(conversationId);
  const close = useClose();
  return (
    <Drawer id="details" opened onClose={close} title={t('chat.details.title')} position="right" size={400}>
      {conversation?.group && (
        <Stack gap="lg">
          <GroupDetails conversation={conversation} />
          <Divider />
          <ConversationSwitches conversation={conversation} />
          <ReportButton conversationId={conversationId} />
        </Stack>
      )}
      {conversation?.peer && <PeerDetails conversation={conversation} peer={conversation.peer} />}
    </Drawer>
  );
}

/** Returns from the details to the thread, as "back" does, without leaving the details in the history. */
function useClose(): () => void {
  const { conversationId } = useParams();
  const { key, search } = useLocation();
  const navigate = useNavigate();
  // Only the thread links to the details; after opening them by URL there is no thread to go back to.
  return () => {
    if (isOverlayOpen()) return;
    if (key === 'default') navigate(`/c/${conversationId}${search}`, { replace: true });
    else navigate(-1);
  };
}
