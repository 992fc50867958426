import { Box, Button, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { runs, useAction } from '../../ui/parts/change.ts';
import { useTexts } from '../../ui/texts.ts';
import { setBlocked } from '../conversations/queries.ts';
import { type AddFiles, type ChosenFile, chosen } from './album.ts';
import classes from './composer.module.css';
import { EditField } from './edit-field.tsx';
import { Field } from './field.tsx';
import type { Writing } from './use-writing.ts';

const SendFiles = lazy(() => import('./send-files.tsx'));

/** The composer, or the reason why writing is not possible. Files can be dropped anywhere in the window. */
export function Composer({ conversation, writing }: { conversation: Conversation; writing: Writing }) {
  const t = useTexts();
  const { mayWrite } = conversation;
  const [files, setFiles] = useState<ChosenFile[]>([]);
  const addFiles: AddFiles = (added, form) => {
    // Now: React may call the function below only once the field for files is empty again.
    const more = chosen(added, form);
    setFiles((others) => [...others, ...more]);
  };
  const isOver = useDrop(mayWrite, addFiles);
  return (
    <div className={classes.composer}>
      {isOver && <div className={classes.drop}>{t('chat.composer.dropHere')}</div>}
      <div className={classes.inner}>
        {mayWrite && writing.edited ? (
          <EditField
            key={writing.edited.msgId}
            message={writing.edited}
            onDone={() => writing.edit(undefined)}
          />
        ) : mayWrite ? (
          <Field conversation={conversation} writing={writing} addFiles={addFiles} />
        ) : (
          <Refusal conversation={conversation} />
        )}
      </div>
      <Suspense>
        {mayWrite && !writing.edited && files.length > 0 && (
          <SendFiles
            files={files}
            onFiles={setFiles}
            onSend={(sent) => {
              setFiles([]);
              for (const { content, file } of sent) writing.send(content, { file });
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

/** Whether files are being dragged over the window. */
function useDrop(isWanted: boolean, onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const isTaken = ({ dataTransfer }: DragEvent) => isWanted && dataTransfer?.types.includes('Files');
  useWindowEvent('dragover', (event) => {
    if (!isTaken(event)) return;
    event.preventDefault();
    setOver(true);
  });
  useWindowEvent('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) setOver(false);
  });
  useWindowEvent('drop', (event) => {
    if (!isTaken(event)) return;
    event.preventDefault();
    setOver(false);
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });
  return isOver;
}

/** Why writing is not possible here, and what to do about it. */
function Refusal({ conversation: { peer, group, isBlocked } }: { conversation: Conversation }) {
  const t = useTexts();
  const unblock = useAction((userId: string) => setBlocked(userId, false));
  const reason = peer?.isDeleted
    ? peer.isBot
      ? t('chat.composer.deletedBot')
      : t('chat.composer.deletedPerson')
    : isBlocked
      ? t('chat.composer.blocked')
      : peer?.isService
        ? t('chat.composer.service')
        : group?.isBroadcast
          ? t('chat.composer.readers')
          : group
            ? t('chat.composer.announcements')
            : t('chat.composer.notAllowed');
  return (
    <Box p="sm" c="dimmed" ta="center">
      <Text size="sm">{reason}</Text>
      {isBlocked && peer && !peer.isDeleted && (
        <Button mt="xs" size="compact-sm" variant="light" {...runs(unblock, peer.userId)}>
          {t('chat.composer.unblock')}
        </Button>
      )}
    </Box>
  );
}
