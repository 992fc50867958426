import { ActionIcon, FileButton, Menu } from '@mantine/core';
import {
  IconChartBar,
  IconFile,
  IconLink,
  IconMapPin,
  IconMusic,
  IconPaperclip,
  IconPhoto,
  IconSticker2,
} from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { useTexts } from '../../ui/texts.ts';
import type { FileForm } from '../media/forms.ts';
import type { Unsent } from '../outbox/outbox.ts';
import { composerTexts } from './texts.ts';

const SendFile = lazy(() => import('./send-file.tsx'));
const SendLink = lazy(() => import('./send-link.tsx'));
const SendPlace = lazy(() => import('./send-place.tsx'));
const CreatePoll = lazy(() => import('../polls/create-poll.tsx'));

/** A file that was chosen, dropped or pasted. */
export interface ChosenFile {
  key: string;
  file: File;
  preferred?: FileForm;
}

export function chosen(files: Iterable<File>, preferred?: FileForm): ChosenFile[] {
  return Array.from(files, (file) => ({
    key: crypto.randomUUID(),
    file,
    ...(preferred && { preferred }),
  }));
}

/** The menu of what goes beside texts, and the dialogues behind it; files one after the other. */
export function Attachments({
  conversation,
  files,
  onFiles,
  onSend,
}: {
  conversation: Conversation;
  files: ChosenFile[];
  onFiles: (files: ChosenFile[]) => void;
  onSend: (content: Unsent['content']) => void;
}) {
  const t = useTexts(composerTexts);
  const [open, setOpen] = useState<'link' | 'place' | 'poll'>();
  const close = () => setOpen(undefined);
  const sendAndClose = (content: Unsent['content']) => {
    onSend(content);
    close();
  };
  const [first, ...others] = files;
  const ofFiles = (accept: string, label: string, icon: ReactNode, preferred?: FileForm) => (
    <FileButton accept={accept} multiple onChange={(list) => onFiles(chosen(list, preferred))}>
      {(props) => (
        <Menu.Item leftSection={icon} {...props}>
          {label}
        </Menu.Item>
      )}
    </FileButton>
  );
  return (
    <>
      <Menu position="top-start" keepMounted>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={42} radius="xl" aria-label={t.attach}>
            <IconPaperclip size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {ofFiles('image/*,video/*', t.photo, <IconPhoto size={16} />)}
          {ofFiles('audio/*', t.audio, <IconMusic size={16} />, 'audio')}
          {ofFiles('', t.document, <IconFile size={16} />, 'doc')}
          {ofFiles('image/png,image/webp,image/gif', t.sticker, <IconSticker2 size={16} />, 'sticker')}
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => setOpen('link')}>
            {t.link}
          </Menu.Item>
          <Menu.Item leftSection={<IconMapPin size={16} />} onClick={() => setOpen('place')}>
            {t.place}
          </Menu.Item>
          <Menu.Item leftSection={<IconChartBar size={16} />} onClick={() => setOpen('poll')}>
            {t.poll}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {first && (
          <SendFile
            key={first.key}
            file={first.file}
            preferred={first.preferred}
            hasBots={conversation.kind === 'group' || conversation.peer?.isBot === true}
            onSend={(content) => {
              onSend(content);
              onFiles(others);
            }}
            onClose={() => onFiles(others)}
          />
        )}
        {open === 'link' && <SendLink onSend={sendAndClose} onClose={close} />}
        {open === 'place' && <SendPlace onSend={sendAndClose} onClose={close} />}
        {open === 'poll' && <CreatePoll conversation={conversation} onClose={close} />}
      </Suspense>
    </>
  );
}
