import { Button, Skeleton, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useMatch, useNavigate } from 'react-router';
import { isArchivedAt } from '#contract/rights.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { useNow } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { useDrafts } from '../outbox/drafts.ts';
import { Entry } from './entry.tsx';
import { type Folder, isInFolder, matching } from './filter.ts';
import { Folders } from './folders.tsx';
import { GettingStarted } from './getting-started.tsx';
import classes from './list.module.css';
import { avatarOf } from './names.ts';
import { inOrder } from './order.ts';
import { conversationsQuery, readMoreConversations } from './queries.ts';
import { conversationTexts } from './texts.ts';

/** At least this many conversations are shown, if there are that many, however many are archived. */
const ENOUGH = 15;

/** The field that filters the list. */
export const FILTER_ID = 'conversation-filter';

/** The person's conversations, the latest first. */
export function ConversationList() {
  const conversations = useQuery(conversationsQuery);
  return (
    <QueryView query={conversations} loading={<GreyEntries />}>
      {(list) =>
        list.conversations.length === 0 ? (
          <GettingStarted />
        ) : (
          <Entries list={list.conversations} hasMore={list.nextCursor !== undefined} />
        )
      }
    </QueryView>
  );
}

function Entries({ list, hasMore }: { list: Parameters<typeof inOrder>[0]; hasMore: boolean }) {
  const t = { ...useTexts(commonTexts), ...useTexts(conversationTexts) };
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { accountId } = useAccount();
  const drafts = useDrafts(accountId);
  const [folder, setFolder] = useState<Folder>('all');
  const openId = useMatch('/c/:conversationId/*')?.params.conversationId;
  const now = useNow();
  const isTyped = typed.trim() !== '';
  // The search by name covers every folder.
  const ordered = useMemo(() => {
    const all = inOrder(list);
    if (isTyped) return matching(all, typed, (one) => avatarOf(one).name);
    return all.filter((one) => isInFolder(one, folder, { now, openId }));
  }, [list, isTyped, typed, folder, now, openId]);
  const more = useMutation({ mutationFn: () => readMoreConversations(client), onError: showError });
  // Matches may be on pages that are not loaded yet.
  const { mutate: readMore, isPending, isError } = more;
  const isLooking = (isTyped || folder !== 'all' || ordered.length < ENOUGH) && hasMore && !isError;
  useEffect(() => {
    if (isLooking && !isPending) readMore();
  }, [isLooking, isPending, readMore]);
  return (
    <>
      <TextInput
        id={FILTER_ID}
        type="search"
        className={classes.filter ?? ''}
        aria-label={t.filter}
        placeholder={t.filter}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = ordered;
          if (event.key === 'Escape') setTyped('');
          if (event.key !== 'Enter' || !first || !isTyped) return;
          setTyped('');
          navigate(`/c/${first.conversationId}`);
        }}
      />
      <Folders
        chosen={folder}
        hasArchived={list.some((one) => isArchivedAt(one, now))}
        onChoose={setFolder}
      />
      {ordered.length === 0 && (
        <Text size="sm" c="dimmed" ta="center" p="md" role="status">
          {isTyped ? t.noneFound : t.noneInFolder}
        </Text>
      )}
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
