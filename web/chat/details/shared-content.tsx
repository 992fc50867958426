import { ActionIcon, Anchor, Box, Group, NavLink, Text } from '@mantine/core';
import {
  IconChevronRight,
  IconFile,
  IconLink,
  IconMessage,
  IconPhoto,
  IconPlayerPlayFilled,
} from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ChatMessage } from '#contract/chat.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Pages, usePagesWhile } from '../../ui/parts/pages.tsx';
import { OUTWARD, shownUrl } from '../../ui/shown-url.ts';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { excerptOf, kindOf } from '../conversations/excerpt.ts';
import { personName } from '../conversations/names.ts';
import { ShortTime } from '../conversations/when.tsx';
import { clockLength } from '../media/length.ts';
import { useLoading } from '../media/loading.ts';
import { Picture } from '../media/picture.tsx';
import { fileNameOf } from '../message/attachments/file-name.ts';
import { linksIn } from '../message/text/parse.ts';
import { useThread } from '../message/thread-context.ts';
import { searchQuery } from '../search/queries.ts';
import classes from './details.module.css';
import { coverThread, useDetails } from './use-details.ts';

/** The kinds of shared content: the last part of the path, its icon, and the kind that the search finds. */
const SHARED = {
  media: { icon: IconPhoto, kind: 'media' },
  files: { icon: IconFile, kind: 'doc' },
  links: { icon: IconLink, kind: 'link' },
} as const;

export type SharedKind = keyof typeof SHARED;

export function isSharedKind(path: string | undefined): path is SharedKind {
  return path !== undefined && path in SHARED;
}

/** The ways to what was shared. */
export function SharedMenu() {
  const t = useTexts();
  const { path, state } = useDetails();
  const [pathname, search] = path.split('?');
  return (
    <Box component="nav" mx={-8} aria-label={t('chat.details.shared')}>
      {(Object.keys(SHARED) as SharedKind[]).map((one) => {
        const Icon = SHARED[one].icon;
        return (
          <NavLink
            key={one}
            component={Link}
            to={{ pathname: `${pathname}/${one}`, search: search ?? '' }}
            state={state}
            mih={44}
            px={8}
            bdrs="md"
            label={t(`chat.details.${one}`)}
            leftSection={<Icon size={20} stroke={1.5} aria-hidden="true" />}
            rightSection={<IconChevronRight size={16} aria-hidden="true" />}
          />
        );
      })}
    </Box>
  );
}

/** Everything of one kind that was shared in a conversation, newest first. */
export function Shared({ conversationId, shared }: { conversationId: string; shared: SharedKind }) {
  const t = useTexts();
  const { icon: Icon, kind } = SHARED[shared];
  const query = useInfiniteQuery(searchQuery({ conversationId, kind }));
  const count = query.data?.pages.reduce((sum, page) => sum + page.messages.length, 0);
  // A page may have none of this kind.
  const isSearching = usePagesWhile(count === 0, query);
  const empty = !isSearching && <Empty icon={<Icon />} title={t(`chat.details.no${shared}`)} />;
  const names = new Map(
    query.data?.pages.flatMap(({ people }) => people.map((person) => [person.userId, personName(person)])),
  );
  return (
    <Pages query={query} items={(page) => page.messages} empty={empty}>
      {(messages) => (
        <Box
          component="ul"
          mb="md"
          className={shared === 'media' ? classes.grid : undefined}
          aria-busy={query.isFetching}
        >
          {messages.map((message) => (
            <li key={message.msgId}>
              {shared === 'media' ? (
                <MediaTile message={message} />
              ) : (
                <SharedRow message={message} shared={shared} name={names.get(message.from) ?? ''} />
              )}
            </li>
          ))}
        </Box>
      )}
    </Pages>
  );
}

/** Shows a message in the thread, which is beside the details or under them. */
function useShowMessage(): (msgId: string) => void {
  const { jumpTo } = useThread();
  const { close } = useDetails();
  return (msgId) => {
    jumpTo(msgId);
    if (coverThread()) close();
  };
}

function MediaTile({ message }: { message: ChatMessage }) {
  const show = useShowMessage();
  const { msgId, type, from, sentAt, caption, fileUrl, thumbnailUrl, fileDetails } = message;
  const isVideo = type === 'video';
  const pictureUrl = thumbnailUrl ?? (isVideo ? undefined : fileUrl);
  const isLoaded = useLoading(pictureUrl, from) === 'now' && pictureUrl !== undefined;
  const label = [caption || kindOf(type), fullTime(sentAt)].join(', ');
  return (
    <button type="button" className={classes.tile} aria-label={label} onClick={() => show(msgId)}>
      {isLoaded ? (
        <Picture fileUrl={pictureUrl} loading="lazy" decoding="async" />
      ) : (
        <IconPhoto size={24} stroke={1.5} aria-hidden="true" />
      )}
      {isVideo && (
        <span className={classes.length}>
          <IconPlayerPlayFilled size={10} aria-hidden="true" />
          {fileDetails?.durationMs !== undefined && clockLength(fileDetails.durationMs)}
        </span>
      )}
    </button>
  );
}

/** A file, or the links of a text, with who shared them and when. */
function SharedRow({ message, shared, name }: { message: ChatMessage; shared: SharedKind; name: string }) {
  const t = useTexts();
  const show = useShowMessage();
  const { msgId, fileUrl, sentAt, content, caption } = message;
  const links =
    shared === 'files' && fileUrl
      ? [{ href: fileUrl, text: fileNameOf(fileUrl) }]
      : linksIn(content ?? caption ?? '').map(({ href, text }) => ({ href, text: shownUrl(text) }));
  return (
    <Group gap={8} wrap="nowrap" py={8}>
      <Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
        {links.map(({ href, text }) => (
          <Anchor
            key={href}
            href={href}
            {...OUTWARD}
            size="sm"
            lineClamp={2}
            {...(shared === 'files' && { download: true })}
          >
            {text}
          </Anchor>
        ))}
        {links.length === 0 && <Text size="sm">{excerptOf(message, undefined)}</Text>}
        <Dimmed size="xs">
          {name} · <ShortTime at={sentAt} />
        </Dimmed>
      </Box>
      <ActionIcon size="lg" aria-label={t('chat.details.showMessage')} onClick={() => show(msgId)}>
        <IconMessage size={18} stroke={1.5} />
      </ActionIcon>
    </Group>
  );
}
