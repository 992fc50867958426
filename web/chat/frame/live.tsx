import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { describeError } from '../../ui/parts/faults.tsx';
import { sessionQuery, useAccount } from '../../ui/session/session.ts';
import { language } from '../../ui/texts.ts';
import { feed } from '../live/feed.ts';
import { uploadUnsent } from '../media/upload-unsent.ts';
import { announce } from '../notifications/announce.ts';
import { startDrafts } from '../outbox/drafts.ts';
import { dropFile } from '../outbox/files.ts';
import { outbox } from '../outbox/outbox.ts';
import { sendUnsent } from '../outbox/send.ts';
import { noteShownAs } from '../outbox/shown-as.ts';
import { OutboxStore } from '../outbox/store.ts';
import { follow, showMessage } from './follow.ts';
import { frameTexts } from './texts.ts';

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
      onSent: (message, { key }) => {
        noteShownAs(message.msgId, key);
        void showMessage(client, message);
      },
      describe: describeError,
      describeDelay: (error) => describeError(error, frameTexts[language()].sentLater),
      describeUncertain: () => frameTexts[language()].uncertain,
      batch: notifyManager.batch,
      schedule: notifyManager.schedule,
    });
    return () => {
      ending.abort();
      stop();
      stopDrafts();
    };
  }, [client, accountId]);
  return null;
}
