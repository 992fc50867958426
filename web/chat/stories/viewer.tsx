import { Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { Fault } from '../../ui/parts/faults.tsx';
import { useReturnsFocus } from '../../ui/parts/use-returns-focus.ts';
import { Waiting } from '../../ui/parts/waiting.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { ownProfileQuery } from '../conversations/queries.ts';
import { ownStoryQuery, storiesQuery } from './queries.ts';
import { Show } from './show.tsx';
import classes from './viewer.module.css';

type Shown = Pick<ComponentProps<typeof Show>, 'person' | 'story' | 'seenElementId'>;

/** A story in full screen. It begins at the first element that was unseen when it was opened. */
export function Component() {
  const t = useTexts();
  const { userId = '' } = useParams();
  const navigate = useNavigate();
  const account = useAccount();
  const { data: profile } = useQuery(ownProfileQuery);
  const isOwn = userId === account.accountId;
  const shared = useQuery({ ...storiesQuery, enabled: !isOwn });
  const own = useQuery({ ...ownStoryQuery, enabled: isOwn });
  const { isPending, error, refetch } = isOwn ? own : shared;
  const shown: Shown | undefined = isOwn
    ? own.data
      ? {
          person: {
            userId,
            name: account.name,
            ...(profile?.pictureUrl && { pictureUrl: profile.pictureUrl }),
          },
          story: own.data,
        }
      : undefined
    : shared.data?.find(({ person }) => person.userId === userId);
  useReturnsFocus(true);
  // Back to the previous screen; `idx` is the router's position in the history.
  const close = () => (history.state?.idx > 0 ? navigate(-1) : navigate('/'));
  const resume = () => {
    const next = shared.data?.find(({ person, hasUnseen }) => hasUnseen && person.userId !== userId);
    if (next && !isOwn) navigate(`/stories/${next.person.userId}`, { replace: true });
    else close();
  };
  return (
    <Modal.Root opened onClose={close} fullScreen transitionProps={{ duration: 0 }}>
      <Modal.Content className={classes.content}>
        <title>{`${shown ? t('chat.story.storyOf', { name: shown.person.name }) : t('chat.story.stories')} – ${t('ui.common.service')}`}</title>
        {shown ? (
          <Show key={userId} {...shown} isOwn={isOwn} onClose={close} onEnd={resume} />
        ) : (
          <Stack align="center" justify="center" mih="100dvh" p="md">
            <Modal.Title>{t('chat.story.stories')}</Modal.Title>
            {isPending ? (
              <Waiting />
            ) : error ? (
              <Fault error={error} retry={refetch} />
            ) : (
              <Text>{t('chat.story.gone')}</Text>
            )}
            <Link to="/" style={{ color: 'inherit' }}>
              {t('ui.common.close')}
            </Link>
          </Stack>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}
