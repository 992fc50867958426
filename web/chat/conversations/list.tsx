import { Box, Button, Skeleton, Stack, TextInput, ThemeIcon, Title, UnstyledButton } from '@mantine/core';
import { IconLink, type IconProps, IconRobot, IconSearch, IconWand } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react';
import { useMatch, useNavigate } from 'react-router';
import { isArchivedAt } from '#contract/rights.ts';
import { useAction } from '../../ui/parts/change.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { useNow } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { useDrafts } from '../outbox/drafts.ts';
import { Way } from '../parts/way.tsx';
import { Entry } from './entry.tsx';
import { FOLDERS, type Folder, inOrder, isInFolder, matching } from './filter.ts';
import classes from './list.module.css';
import { avatarOf } from './names.ts';
import { conversationsQuery, managementBotQuery, readMoreConversations } from './queries.ts';

/** With fewer conversations, the list still says how to begin one. */
const FEW = 3;

/** At least this many conversations are shown, if there are that many, however many are archived. */
const ENOUGH = 15;

/** More entries than this are rendered only on request: a search by name loads all conversations, and each keeps itself up to date. */
const SHOWN_AT_ONCE = 100;

/** The field that filters the list. */
export const FILTER_ID = 'conversation-filter';

/**
 * The person's conversations, the latest first. The field above finds them by name.
 *
 * @param elsewhere shows below them what else was found
 */
export function ConversationList({ elsewhere }: { elsewhere: Elsewhere }) {
  const conversations = useQuery(conversationsQuery);
  return (
    <QueryView query={conversations} loading={<GreyEntries />}>
      {({ conversations, nextCursor }) =>
        conversations.length === 0 ? (
          <GettingStarted />
        ) : (
          <Entries list={conversations} hasMore={nextCursor !== undefined} elsewhere={elsewhere} />
        )
      }
    </QueryView>
  );
}

type Elsewhere = (typed: string, hasConversations: boolean) => ReactNode;

function Entries({
  list,
  hasMore,
  elsewhere,
}: {
  list: Parameters<typeof inOrder>[0];
  hasMore: boolean;
  elsewhere: Elsewhere;
}) {
  const t = useTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { accountId } = useAccount();
  const drafts = useDrafts(accountId);
  const [folder, setFolder] = useState<Folder>('all');
  const [most, setMost] = useState(SHOWN_AT_ONCE);
  const openId = useMatch('/c/:conversationId/*')?.params.conversationId;
  const now = useNow();
  const isTyped = typed.trim() !== '';
  // The search by name covers every folder.
  const ordered = useMemo(() => {
    const all = inOrder(list);
    if (isTyped) return matching(all, typed, (one) => avatarOf(one).name);
    return all.filter((one) => isInFolder(one, folder, { now, openId }));
  }, [list, isTyped, typed, folder, now, openId]);
  const more = useAction(() => readMoreConversations(client));
  // Matches may be on pages that are not loaded yet.
  const { mutate: readMore, isPending, isError } = more;
  const isLooking = (isTyped || folder !== 'all' || ordered.length < ENOUGH) && hasMore && !isError;
  useEffect(() => {
    if (isLooking && !isPending) readMore(undefined);
  }, [isLooking, isPending, readMore]);
  return (
    <>
      <TextInput
        id={FILTER_ID}
        type="search"
        mx="sm"
        my={4}
        aria-label={t('chat.conversation.filter')}
        placeholder={t('chat.conversation.filter')}
        leftSection={<IconSearch size={16} />}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = ordered;
          if (event.key === 'Escape' && typed !== '') {
            event.preventDefault();
            setTyped('');
          }
          if (event.key !== 'Enter' || !isTyped) return;
          setTyped('');
          navigate(
            first ? `/c/${first.conversationId}` : `/search?${new URLSearchParams({ words: typed.trim() })}`,
          );
        }}
      />
      {!isTyped && (
        <Folders
          chosen={folder}
          hasArchived={list.some((one) => isArchivedAt(one, now))}
          onChoose={setFolder}
        />
      )}
      {ordered.length === 0 && !isTyped && (
        <Dimmed ta="center" p="md" role="status">
          {t('chat.conversation.noneInFolder')}
        </Dimmed>
      )}
      <div className="visually-hidden" role="status">
        {isTyped && !isLooking && t('chat.conversation.found', { count: ordered.length })}
      </div>
      <ul className={classes.list}>
        {ordered.slice(0, most).map((conversation) => (
          <Entry
            key={conversation.conversationId}
            conversation={conversation}
            accountId={accountId}
            draft={drafts[conversation.conversationId] ?? ''}
          />
        ))}
      </ul>
      {(ordered.length > most || hasMore) && (
        <Box p="sm" ta="center">
          <Button
            variant="subtle"
            size="compact-sm"
            loading={isPending}
            onClick={() => {
              setMost(most + SHOWN_AT_ONCE);
              if (ordered.length <= most) readMore(undefined);
            }}
          >
            {t('ui.common.loadMore')}
          </Button>
        </Box>
      )}
      {isTyped && elsewhere(typed.trim(), ordered.length > 0)}
      {!isTyped && list.length < FEW && <GettingStarted />}
    </>
  );
}

function GreyEntries() {
  const t = useTexts();
  return (
    <div className={classes.list} role="status" aria-busy="true">
      <span className="visually-hidden">{t('ui.common.loading')}</span>
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

/** The folder shown; the archive appears only if it has conversations. */
function Folders({
  chosen,
  hasArchived,
  onChoose,
}: {
  chosen: Folder;
  hasArchived: boolean;
  onChoose: (folder: Folder) => void;
}) {
  const t = useTexts();
  const shown = FOLDERS.filter((folder) => folder !== 'archived' || hasArchived || chosen === folder);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll sideways.
    <div className={classes.folders} role="group" aria-label={t('chat.conversation.folders')}>
      {shown.map((folder) => (
        <UnstyledButton
          key={folder}
          className={classes.folder ?? ''}
          aria-pressed={folder === chosen}
          onClick={() => onChoose(folder)}
        >
          {t(`chat.conversation.${folder}`)}
        </UnstyledButton>
      ))}
    </div>
  );
}

/** How to begin the first conversations. */
function GettingStarted() {
  const t = useTexts();
  const { data: bot } = useQuery(managementBotQuery);
  return (
    <Stack p="md" gap="md">
      <div>
        <Title order={2}>{t('chat.conversation.beginTitle')}</Title>
        <Dimmed>{t('chat.conversation.beginText')}</Dimmed>
      </div>
      <Stack gap={4} fz="sm">
        <Way
          to="/settings/invite"
          icon={<Round icon={IconLink} />}
          title={t('chat.conversation.invitePeople')}
        >
          {t('chat.conversation.inviteText')}
        </Way>
        <Way to="/new/bot" icon={<Round icon={IconRobot} />} title={t('chat.conversation.findBot')}>
          {t('chat.conversation.findBotText')}
        </Way>
        {bot?.username && (
          <Way
            to={`/c/${bot.conversationId}?bot=${bot.username}`}
            icon={<Round icon={IconWand} />}
            title={t('chat.conversation.ownBot')}
          >
            {t('chat.conversation.ownBotText')}
          </Way>
        )}
      </Stack>
    </Stack>
  );
}

function Round({ icon: Icon }: { icon: ComponentType<IconProps> }) {
  return (
    <ThemeIcon size={40} radius="xl" variant="light" aria-hidden="true">
      <Icon size={20} />
    </ThemeIcon>
  );
}
