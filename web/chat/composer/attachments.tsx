import { ActionIcon, Menu } from '@mantine/core';
import {
  IconCamera,
  IconChartBar,
  IconFile,
  IconLink,
  IconMapPin,
  IconMusic,
  IconPaperclip,
  IconPhoto,
  IconSticker2,
} from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { MenuItem } from '../../ui/parts/menu-item.tsx';
import { useReturnsFocus } from '../../ui/parts/use-returns-focus.ts';
import { useTexts } from '../../ui/texts.ts';
import type { FileForm } from '../media/forms.ts';
import type { Unsent } from '../outbox/store.ts';
import type { AddFiles } from './album.ts';
import { hasTouchKeyboard } from './touch.ts';
import type { Writing } from './use-writing.ts';

const SendLink = lazy(() => import('./send-link.tsx'));
const SendLocation = lazy(() => import('./send-location.tsx'));
const CreatePoll = lazy(() => import('../polls/create-poll.tsx'));

/** The attachment menu and its dialogs. */
export function Attachments({
  conversation,
  addFiles,
  onSend,
}: {
  conversation: Conversation;
  addFiles: AddFiles;
  onSend: Writing['send'];
}) {
  const t = useTexts();
  const [open, setOpen] = useState<'link' | 'location' | 'poll'>();
  const input = useRef<HTMLInputElement>(null);
  const preferred = useRef<FileForm>(undefined);
  // Before its dialog has loaded, when the menu is already gone.
  useReturnsFocus(open !== undefined);
  const close = () => setOpen(undefined);
  const sendAndClose = (content: Unsent['content']) => {
    onSend(content);
    close();
  };
  const ask = (accept: string, form?: FileForm, { isFromCamera = false } = {}) => {
    if (!input.current) return;
    input.current.accept = accept;
    if (isFromCamera) input.current.setAttribute('capture', 'environment');
    else input.current.removeAttribute('capture');
    preferred.current = form;
    input.current.click();
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          addFiles(currentTarget.files ?? [], preferred.current);
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <Menu position="top-start" offset={12} withinPortal={false}>
        <Menu.Target>
          <ActionIcon size={42} radius="xl" aria-label={t('chat.composer.attach')}>
            <IconPaperclip size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItem
            icon={IconPhoto}
            label={t('chat.composer.photo')}
            onClick={() => ask('image/*,video/*')}
          />
          {hasTouchKeyboard() && (
            <MenuItem
              icon={IconCamera}
              label={t('chat.composer.camera')}
              onClick={() => ask('image/*', undefined, { isFromCamera: true })}
            />
          )}
          <MenuItem
            icon={IconMusic}
            label={t('chat.composer.audio')}
            onClick={() => ask('audio/*', 'audio')}
          />
          <MenuItem icon={IconFile} label={t('chat.composer.document')} onClick={() => ask('', 'doc')} />
          <MenuItem
            icon={IconSticker2}
            label={t('chat.composer.sticker')}
            onClick={() => ask('image/png,image/webp,image/gif', 'sticker')}
          />
          <MenuItem icon={IconLink} label={t('chat.composer.link')} onClick={() => setOpen('link')} />
          <MenuItem icon={IconMapPin} label={t('chat.composer.place')} onClick={() => setOpen('location')} />
          <MenuItem icon={IconChartBar} label={t('chat.composer.poll')} onClick={() => setOpen('poll')} />
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {open === 'link' && <SendLink onSend={sendAndClose} onClose={close} />}
        {open === 'location' && <SendLocation onSend={sendAndClose} onClose={close} />}
        {open === 'poll' && <CreatePoll conversation={conversation} onClose={close} />}
      </Suspense>
    </>
  );
}
