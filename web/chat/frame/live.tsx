import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { callChat } from '../../ui/api.ts';
import { upload } from '../../ui/media.ts';
import { describeError } from '../../ui/parts/faults.tsx';
import { sessionQuery, useAccount } from '../../ui/session/session.ts';
import { text } from '../../ui/texts.ts';
import { feed } from '../live/feed.ts';
import { type FileForm, kindOf } from '../media/forms.ts';
import { lengthOf, posterOf } from '../media/poster.ts';
import { announce } from '../notifications/announce.ts';
import { startDrafts } from '../outbox/drafts.ts';
import { dropFile, findFile, keepSentPicture } from '../outbox/files.ts';
import { outbox } from '../outbox/outbox.ts';
import { noteShownAs } from '../outbox/shown-as.ts';
import { OutboxStore, type Unsent } from '../outbox/store.ts';
import type { Upload, Uploaded } from '../outbox/uploads.ts';
import { follow, showMessage } from './follow.ts';

/** An attempt that takes longer is aborted and retried. */
const TIMEOUT_MS = 20_000;

/** One attempt to send a message. */
function sendUnsent({ key, target, content, forwarded }: Unsent): Promise<ChatMessage> {
  const options = { idempotencyKey: key, signal: AbortSignal.timeout(TIMEOUT_MS) };
  if (forwarded) return callChat('POST /messages/forward', { body: { ...target, ...forwarded }, ...options });
  return 'groupId' in target
    ? callChat('POST /groups/messages', { body: { ...target, ...content }, ...options })
    : callChat('POST /messages', { body: { ...target, ...content }, ...options });
}

/** Connects the page to the live stream while somebody is signed in. */
export function Live() {
  const client = useQueryClient();
  const { accountId } = useAccount();
  useEffect(() => {
    const ending = new AbortController();
    feed.start({
      onEvent: (event) => {
        notifyManager.batch(() => follow(client, event));
        announce(client, event);
      },
      onSignedOut: () => client.setQueryData(sessionQuery.queryKey, null),
      signal: ending.signal,
    });
    const stopDrafts = startDrafts(accountId);
    const store = new OutboxStore(accountId);
    const stop = outbox.start(store, {
      send: sendUnsent,
      upload: uploadUnsent(store),
      dropFile,
      onSent: (message, { key, file }) => {
        noteShownAs(message.msgId, key);
        if (file && message.fileUrl !== undefined) keepSentPicture(message.fileUrl, file.key);
        feed.note({ type: 'message', data: message });
        void showMessage(client, message);
      },
      describe: describeError,
      describeDelay: (error) => describeError(error, (when) => text('chat.frame.sentLater', { when })),
      describeUncertain: () => text('chat.frame.uncertain'),
    });
    return () => {
      ending.abort();
      stop();
      stopDrafts();
    };
  }, [client, accountId]);
  return null;
}

/** Uploads the file of a message, a video with a still frame. If several windows are open, only one uploads it. */
function uploadUnsent(store: OutboxStore): Upload {
  return (unsent, { signal, onProgress }) =>
    navigator.locks.request(`parley-upload:${unsent.file?.key}`, { signal }, async () => {
      const uploaded = store.read(unsent.key)?.content;
      return uploaded?.fileUrl ? uploaded : uploadFile(unsent, { signal, onProgress });
    });
}

async function uploadFile(
  { file: kept, content }: Unsent,
  { signal, onProgress }: Parameters<Upload>[1],
): Promise<Uploaded> {
  const file = kept && (await findFile(kept.key));
  if (!file) throw new Error(text('ui.common.fileUnreadable'));
  const form = content.type as FileForm;
  const poster = form === 'video' ? await makePoster(file) : undefined;
  const durationMs =
    content.fileDetails?.durationMs ?? (form === 'audio' ? await lengthOf(file) : poster?.durationMs);
  const still = poster && (await upload(poster.picture, 'image', { signal }));
  const { url } = await upload(file, kindOf(form), { onProgress, signal });
  return {
    fileUrl: url,
    ...(still && { thumbnailUrl: still.url }),
    ...(durationMs !== undefined && { fileDetails: { durationMs } }),
  };
}

async function makePoster(file: File) {
  return posterOf(file).catch(() => {
    throw new Error(text('chat.media.noPoster'));
  });
}
