import { Box } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { ownProfileQuery } from '../conversations/queries.ts';
import { Avatar } from '../media/avatar.tsx';
import { ownStoryQuery, storiesQuery } from './queries.ts';
import classes from './ring.module.css';

const FACE = 48;

/** Stories above the conversations: the person's own, then those of others, unseen ones first. */
export function StoryRing() {
  const t = useTexts();
  const { accountId, name } = useAccount();
  const { data: profile } = useQuery(ownProfileQuery);
  const { data: shared = [] } = useQuery(storiesQuery);
  const { data: own } = useQuery(ownStoryQuery);
  const ordered = shared.toSorted((one, other) => Number(other.hasUnseen) - Number(one.hasUnseen));
  return (
    <ul className={classes.ring} aria-label={t('chat.story.stories')}>
      <Story
        to={own ? `/stories/${accountId}` : '/stories/new'}
        name={t('chat.story.yourStory')}
        hint={own ? undefined : t('chat.story.addToIt')}
        state={own ? 'seen' : 'none'}
      >
        <Avatar name={name} seed={accountId} pictureUrl={profile?.pictureUrl} size={FACE} />
        {!own && (
          <span className={classes.plus}>
            <IconPlus size={14} />
          </span>
        )}
      </Story>
      {ordered.map(({ person, hasUnseen }) => (
        <Story
          key={person.userId}
          to={`/stories/${person.userId}`}
          name={person.name}
          hint={hasUnseen ? t('chat.story.hasNew') : t('chat.story.seen')}
          state={hasUnseen ? 'unseen' : 'seen'}
        >
          <Avatar name={person.name} seed={person.userId} pictureUrl={person.pictureUrl} size={FACE} />
        </Story>
      ))}
    </ul>
  );
}

function Story({
  to,
  name,
  hint,
  state,
  children,
}: {
  to: string;
  name: string;
  /** For screen readers, which do not see the ring. */
  hint: string | undefined;
  state: 'none' | 'seen' | 'unseen';
  children: ReactNode;
}) {
  return (
    <li>
      <Link to={to} className={classes.story} data-state={state}>
        <span className={classes.avatar}>{children}</span>
        <Box component="span" className="one-line" maw="100%" fz="xs">
          {name}
        </Box>
        {hint && <span className="visually-hidden">{hint}</span>}
      </Link>
    </li>
  );
}
