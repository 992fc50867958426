import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { commonTexts } from '../../ui/common-texts.ts';
import { tellError } from '../../ui/parts/faults.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { useDrafts } from '../outbox/drafts.ts';
import { Beginnings } from './beginnings.tsx';
import { Entry } from './entry.tsx';
import classes from './list.module.css';
import { inOrder } from './order.ts';
import { conversationsQuery, readMoreConversations } from './queries.ts';

/** Whom the person talks to, the last one first. */
export function ConversationList() {
  const conversations = useQuery(conversationsQuery);
  return (
    <QueryView query={conversations} loading={<GreyEntries />}>
      {(list) =>
        list.conversations.length === 0 ? (
          <Beginnings />
        ) : (
          <Entries list={list.conversations} hasMore={list.nextCursor !== undefined} />
        )
      }
    </QueryView>
  );
}

function Entries({ list, hasMore }: { list: Parameters<typeof inOrder>[0]; hasMore: boolean }) {
  const t = useTexts(commonTexts);
  const client = useQueryClient();
  const { accountId } = useAccount();
  const drafts = useDrafts(accountId);
  const ordered = useMemo(() => inOrder(list), [list]);
  const more = useMutation({ mutationFn: () => readMoreConversations(client), onError: tellError });
  return (
    <>
      <ul className={classes.list}>
        {ordered.map((conversation) => (
          <Entry
            key={conversation.conversationId}
            conversation={conversation}
            accountId={accountId}
            draft={drafts[conversation.conversationId] ?? ''}
          />
        ))}
      </ul>
      {hasMore && (
        <div className={classes.more}>
          <Button variant="subtle" size="compact-sm" loading={more.isPending} onClick={() => more.mutate()}>
            {t.loadMore}
          </Button>
        </div>
      )}
    </>
  );
}

function GreyEntries() {
  const t = useTexts(commonTexts);
  return (
    <div className={classes.list} role="status" aria-busy="true">
      <span className="visually-hidden">{t.loading}</span>
      {[72, 48, 60, 40, 66].map((width) => (
        <div key={width} className={classes.entry}>
          <Skeleton circle height={44} />
          <div>
            <Skeleton height={12} width={`${width}%`} mb={10} />
            <Skeleton height={10} width="85%" />
          </div>
        </div>
      ))}
    </div>
  );
}
