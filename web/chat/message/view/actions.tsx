import { ActionIcon, Button, Menu, Stack, Text } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopy,
  IconDots,
  IconFlag,
  IconMoodSmile,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconSelect,
  IconTrash,
} from '@tabler/icons-react';
import { type Dispatch, lazy, type ReactNode, type SetStateAction, Suspense, useId } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { callChat } from '../../../ui/api.ts';
import { serverNow } from '../../../ui/clock.ts';
import { runs, useAction } from '../../../ui/parts/change.ts';
import { Dialog } from '../../../ui/parts/dialog.tsx';
import { showError, tell } from '../../../ui/parts/faults.tsx';
import { MenuItem } from '../../../ui/parts/menu-item.tsx';
import { useReturnsFocus } from '../../../ui/parts/use-returns-focus.ts';
import { mayCopy } from '../../../ui/secure-context.ts';
import { useAccount } from '../../../ui/session/session.ts';
import { useTexts } from '../../../ui/texts.ts';
import { mayForward } from '../../forward/forward.ts';
import { useReact } from '../../reactions/queries.ts';
import { QuickReactions } from '../../reactions/quick.tsx';
import { mayDelete, mayEdit } from '../changes.ts';
import classes from '../message.module.css';
import { setPinned } from '../pins.ts';
import type { ShownMessage } from '../shown-message.ts';
import { useThread } from '../thread-context.ts';

const ReportDialog = lazy(() => import('../../report/dialog.tsx'));
const EmojiPicker = lazy(() => import('../../reactions/picker.tsx'));
const WhoReacted = lazy(() => import('../../reactions/who.tsx'));

/** The dialog or menu that is open. */
export type ShownActions = 'menu' | 'delete' | 'emoji' | 'reactions' | 'report' | undefined;

/** React, reply, copy, forward, pin, edit, delete. The menu is rendered when it is first opened: there are many messages. */
export function MessageActions({
  message,
  shown,
  onOpen,
  onShow,
  album = [],
}: {
  message: ChatMessage;
  shown: ShownActions;
  onOpen: () => void;
  onShow: Dispatch<SetStateAction<ShownActions>>;
  /** The messages displayed together with it, which are forwarded and deleted with it. */
  album?: ShownMessage[] | undefined;
}) {
  const t = useTexts();
  const { mayWrite, mayReact, isAdmin, mayPin, pinned, quote, edit, forward, select } = useThread();
  const { accountId } = useAccount();
  const react = useReact(message);
  const id = useId();
  useReturnsFocus(shown !== undefined);
  const close = () => onShow(undefined);
  const text = message.content ?? message.caption;
  const isPinned = pinned.has(message.msgId);
  const messages = [message, ...album.filter(({ msgId, unsent }) => !unsent && msgId !== message.msgId)];
  const mayQuote = mayWrite && message.type !== 'deleted';
  const button = (
    <ActionIcon
      id={id}
      radius="xl"
      className={classes.actions}
      aria-label={t('chat.message.actions')}
      aria-describedby={message.msgId}
      aria-haspopup="menu"
      onClick={onOpen}
    >
      <IconDots size={18} />
    </ActionIcon>
  );
  const dialogs: Record<Exclude<ShownActions, 'menu' | undefined>, () => ReactNode> = {
    emoji: () => (
      <Dialog opened onClose={close} title={t('chat.reaction.emoji')}>
        <EmojiPicker
          onChoose={(emoji) => {
            react(emoji);
            close();
          }}
        />
      </Dialog>
    ),
    reactions: () => <WhoReacted message={message} onClose={close} />,
    report: () => (
      <ReportDialog
        conversationId={message.conversationId}
        userId={message.from}
        first={message}
        onClose={close}
      />
    ),
    delete: () => (
      <DeleteMessage
        messages={messages}
        isForEverybody={mayDelete(message, { accountId, isAdmin, now: serverNow() })}
        onClose={close}
      />
    ),
  };
  if (shown !== 'menu') {
    return (
      <>
        {button}
        <Suspense>{shown && dialogs[shown]()}</Suspense>
      </>
    );
  }
  return (
    <Menu
      id={id}
      position="bottom"
      opened
      onChange={() => onShow((now) => (now === 'menu' ? undefined : now))}
      // Inside a landmark of the page, but outside the scroll area.
      portalProps={{ target: 'main' }}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {mayReact && message.type !== 'deleted' && (
          <QuickReactions onReact={react} onMore={() => onShow('emoji')} />
        )}
        {mayQuote && (
          <MenuItem icon={IconArrowBackUp} label={t('chat.message.reply')} onClick={() => quote(message)} />
        )}
        {mayCopy && text && (
          <MenuItem
            icon={IconCopy}
            label={t('chat.message.copyText')}
            onClick={() => navigator.clipboard.writeText(text).then(() => tell(t('ui.common.copied')))}
          />
        )}
        {mayForward(message) && (
          <>
            <MenuItem
              icon={IconArrowForwardUp}
              label={t('chat.message.forward')}
              onClick={() => forward(messages)}
            />
            <MenuItem
              icon={IconSelect}
              label={t('chat.message.select')}
              onClick={() => messages.forEach(select)}
            />
          </>
        )}
        {message.reactions && message.reactions.given.length > 0 && (
          <MenuItem
            icon={IconMoodSmile}
            label={t('chat.reaction.whoReacted')}
            onClick={() => onShow('reactions')}
          />
        )}
        {mayPin && message.type !== 'deleted' && (
          <MenuItem
            icon={isPinned ? IconPinnedOff : IconPin}
            label={isPinned ? t('chat.message.unpin') : t('chat.message.pin')}
            onClick={() => void setPinned(message, !isPinned).catch(showError)}
          />
        )}
        {mayWrite && mayEdit(message, accountId, serverNow()) && (
          <MenuItem icon={IconPencil} label={t('ui.common.edit')} onClick={() => edit(message)} />
        )}
        {message.from !== accountId && message.type !== 'deleted' && (
          <MenuItem icon={IconFlag} label={t('chat.report.report')} onClick={() => onShow('report')} />
        )}
        <MenuItem
          icon={IconTrash}
          label={t('ui.common.delete')}
          color="var(--mantine-color-error)"
          onClick={() => onShow('delete')}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asks for whom to delete a message or an album. The live stream then removes it from the page. */
function DeleteMessage({
  messages,
  isForEverybody,
  onClose,
}: {
  messages: ChatMessage[];
  /** Whether the person may also delete them for everybody. */
  isForEverybody: boolean;
  onClose: () => void;
}) {
  const t = useTexts();
  const end = useAction(
    async (forEverybody: boolean) => {
      const path = '/conversations/:conversationId/messages/:msgId';
      for (const { conversationId, msgId } of messages)
        await callChat(forEverybody ? `DELETE ${path}` : `POST ${path}/hide`, {
          params: { conversationId, msgId },
        });
    },
    { onSuccess: onClose },
  );
  return (
    <Dialog
      opened
      onClose={onClose}
      title={
        messages.length > 1
          ? t('chat.message.deleteAlbum', { count: messages.length })
          : t('chat.message.deleteTitle')
      }
    >
      <Stack>
        <Text size="sm">
          {isForEverybody ? t('chat.message.deleteText') : t('chat.message.deleteForMeText')}
        </Text>
        {isForEverybody && (
          <Button color="red" {...runs(end, true)}>
            {t('chat.message.deleteForEverybody')}
          </Button>
        )}
        <Button variant="default" {...runs(end, false)}>
          {t('chat.message.deleteForMe')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose} data-autofocus>
          {t('ui.common.cancel')}
        </Button>
      </Stack>
    </Dialog>
  );
}
