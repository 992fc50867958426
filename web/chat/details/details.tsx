import { Divider, Drawer, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { commonTexts } from '../../ui/common-texts.ts';
import { useTexts } from '../../ui/texts.ts';
import { useConversation } from '../conversations/use-conversation.ts';
import { GroupDetails } from '../groups/details.tsx';
import { ReportButton } from '../report/report-button.tsx';
import { ConversationSwitches } from './conversation-switches.tsx';
import { PeerDetails } from './peer-details.tsx';
import { detailsTexts } from './texts.ts';
import { useClose } from './use-close.ts';

/** The details of a conversation and the actions on it, beside the thread. */
export function Component() {
  const t = { ...useTexts(commonTexts), ...useTexts(detailsTexts) };
  const { conversationId = '' } = useParams();
  const { data: conversation } = useConversation(conversationId);
  const close = useClose();
  return (
    <Drawer id="details" opened onClose={close} title={t.title} position="right" size={400}>
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
