import { ActionIcon, Text } from '@mantine/core';
import { IconFile, IconMusic, IconX } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { useTexts } from '../../../ui/texts.ts';
import { fileSize } from '../../media/size.ts';
import { useFileAddress } from '../../outbox/files.ts';
import { outbox } from '../../outbox/outbox.ts';
import type { Unsent } from '../../outbox/store.ts';
import classes from './pending-file.module.css';

/** A file that is being sent: a preview if possible, the upload progress, and a button to cancel it. */
export function PendingFile({ unsent }: { unsent: Unsent }) {
  const t = useTexts();
  const { key, file, content, fault } = unsent;
  const isVisible = content.type !== 'audio' && content.type !== 'doc';
  const address = useFileAddress(isVisible ? file?.key : undefined);
  const share = useSyncExternalStore(outbox.subscribe, () => outbox.uploadedShare(key)) ?? 0;
  const percent = Math.round((content.fileUrl ? 1 : share) * 100);
  const { name = '', size = 0 } = file ?? {};
  const progress = !fault && (
    <div className={classes.progress}>
      <svg
        viewBox="0 0 36 36"
        role="progressbar"
        aria-label={t('chat.message.uploadOf', { name })}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <circle cx="18" cy="18" r="16" />
        <circle cx="18" cy="18" r="16" pathLength="100" strokeDasharray={`${percent} 100`} data-done />
      </svg>
      <ActionIcon
        variant="transparent"
        color="white"
        radius="xl"
        size={30}
        aria-label={t('chat.message.cancelUpload', { name })}
        onClick={() => outbox.discard(key)}
      >
        <IconX size={18} aria-hidden="true" />
      </ActionIcon>
    </div>
  );
  if (!isVisible) {
    const Icon = content.type === 'audio' ? IconMusic : IconFile;
    return (
      <div className={classes.line}>
        {progress || <Icon size={28} stroke={1.5} aria-hidden="true" />}
        <span>
          <Text span fw={600} size="sm" display="block">
            {name}
          </Text>
          <Text span size="xs" c="dimmed">
            {fileSize(size)}
          </Text>
        </span>
      </div>
    );
  }
  return (
    <div className={classes.frame} data-form={content.type}>
      {address &&
        (content.type === 'video' ? (
          <video src={address} muted playsInline preload="metadata" tabIndex={-1} aria-hidden="true" />
        ) : (
          <img src={address} alt={name} />
        ))}
      {progress}
    </div>
  );
}
