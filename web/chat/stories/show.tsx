import { ActionIcon, Flex, Group, Modal, Text } from '@mantine/core';
import { useReducedMotion, useWindowEvent } from '@mantine/hooks';
import {
  IconChevronLeft,
  IconChevronRight,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Peer } from '#contract/chat.ts';
import type { ChatStory } from '#contract/stories.ts';
import { callChat } from '../../ui/api.ts';
import { useAction } from '../../ui/parts/change.ts';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { historySettled } from '../../ui/parts/use-back-closes.ts';
import { useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';
import { useLoading } from '../media/loading.ts';
import { elementsOf, firstUnseen } from './elements.ts';
import { ReplyToStory, SeenBy } from './footer.tsx';
import { ownStoryQuery } from './queries.ts';
import { StoryElement } from './story-element.tsx';
import classes from './viewer.module.css';

const WHITE = { variant: 'transparent', color: 'white' } as const;
const ASIDE = {
  ...WHITE,
  pos: 'absolute',
  top: '50%',
  size: 44,
  radius: 'xl',
  bg: 'rgb(0 0 0 / 55%)',
} as const;

/** Shows the elements of a story one after another, each for a few seconds unless paused. */
export function Show({
  person,
  story,
  seenElementId,
  isOwn,
  onClose,
  onEnd,
}: {
  person: Pick<Peer, 'userId' | 'name' | 'pictureUrl'>;
  story: ChatStory;
  seenElementId?: string | undefined;
  isOwn: boolean;
  onClose: () => void;
  onEnd: () => void;
}) {
  const t = useTexts();
  const elements = elementsOf(story);
  const [position, setPosition] = useState(() => firstUnseen(elements, isOwn ? undefined : seenElementId));
  const index = Math.min(position, elements.length - 1);
  const element = elements[index];
  // Media that need a click to load do not time out. With reduced motion, the story starts paused.
  const isShown = useLoading(element?.url, person.userId) === 'now';
  const isStill = useReducedMotion(false, { getInitialValueInEffect: false });
  const [isHeld, setHeld] = useState(isStill);
  const go = (step: -1 | 1) => {
    if (index + step >= elements.length) onEnd();
    else setPosition(Math.max(0, index + step));
  };
  useKeys({ go, onHold: () => setHeld((before) => !before) });
  const seenId = isOwn ? undefined : element?.id;
  useEffect(() => {
    // If the view cannot be recorded now, the next one covers it.
    if (seenId !== undefined)
      callChat('POST /stories/seen', { body: { userId: person.userId, elementId: seenId } }).catch(() => {});
  }, [person.userId, seenId]);
  if (!element) return null;
  return (
    <div className={classes.stage}>
      <Progress
        count={elements.length}
        index={index}
        isHeld={isHeld}
        isTimed={element.kind !== 'video' && isShown}
        onEnd={() => go(1)}
      />
      <Group component="header" gap="sm" wrap="nowrap">
        <Avatar name={person.name} seed={person.userId} pictureUrl={person.pictureUrl} size={36} />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Modal.Title className="one-line" fz="sm">
            {isOwn ? t('chat.story.yourStory') : person.name}
          </Modal.Title>
          <Text size="xs">
            <Moment at={element.createdAt} />
            <span className="visually-hidden">
              {' '}
              {t('chat.story.progress', { number: index + 1, count: elements.length })}
            </span>
          </Text>
        </div>
        <Group gap={4} wrap="nowrap" className={classes.above}>
          <ActionIcon
            {...WHITE}
            aria-label={isHeld ? t('chat.story.resume') : t('chat.story.pause')}
            onClick={() => setHeld(!isHeld)}
          >
            {isHeld ? <IconPlayerPlay size={20} /> : <IconPlayerPause size={20} />}
          </ActionIcon>
          {isOwn && (
            <>
              <ActionIcon component={Link} to="/stories/new" {...WHITE} aria-label={t('chat.story.addMore')}>
                <IconPlus size={20} />
              </ActionIcon>
              <DeleteStory storyId={story.storyId} onOpen={() => setHeld(true)} onDeleted={onClose} />
            </>
          )}
          <ActionIcon {...WHITE} aria-label={t('ui.common.close')} onClick={onClose}>
            <IconX size={22} />
          </ActionIcon>
        </Group>
      </Group>
      <div className={classes.element} aria-live="polite">
        <StoryElement
          key={element.id}
          element={element}
          from={person.userId}
          isHeld={isHeld}
          onEnd={() => go(1)}
        />
      </div>
      {isOwn ? (
        <SeenBy element={element} onOpen={() => setHeld(true)} />
      ) : (
        <ReplyToStory
          key={person.userId}
          userId={person.userId}
          element={element}
          onWriting={() => setHeld(true)}
        />
      )}
      {index > 0 && (
        <ActionIcon {...ASIDE} left={20} aria-label={t('chat.story.previous')} onClick={() => go(-1)}>
          <IconChevronLeft size={26} />
        </ActionIcon>
      )}
      <ActionIcon {...ASIDE} right={20} aria-label={t('chat.story.next')} onClick={() => go(1)}>
        <IconChevronRight size={26} />
      </ActionIcon>
    </div>
  );
}

/** The arrow keys change the element, the space bar pauses; Escape, which the dialog handles, closes. */
function useKeys({ go, onHold }: { go: (step: -1 | 1) => void; onHold: () => void }): void {
  useWindowEvent('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    if (target?.closest('input')) return;
    const isOnButton = target?.closest('button, a') != null;
    if (event.key === 'ArrowRight') go(1);
    else if (event.key === 'ArrowLeft') go(-1);
    else if (event.key === ' ' && !isOnButton) {
      event.preventDefault();
      onHold();
    }
  });
}

/** One bar for each element; that of the current one fills and signals its end. */
function Progress({
  count,
  index,
  isHeld,
  isTimed,
  onEnd,
}: {
  count: number;
  index: number;
  isHeld: boolean;
  /** Videos are not timed: they have their own duration. */
  isTimed: boolean;
  onEnd: () => void;
}) {
  return (
    <Flex gap={4} aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never move.
        <span key={i} className={classes.bar} data-done={i < index || undefined}>
          {i === index && (
            <span
              key={index}
              className={isTimed ? classes.filling : classes.full}
              style={{ animationPlayState: isHeld ? 'paused' : 'running' }}
              onAnimationEnd={onEnd}
            />
          )}
        </span>
      ))}
    </Flex>
  );
}

/** Deletes the person's whole story. */
function DeleteStory({
  storyId,
  onOpen,
  onDeleted,
}: {
  storyId: string;
  onOpen: () => void;
  onDeleted: () => void;
}) {
  const t = useTexts();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const end = useAction(() => callChat('DELETE /stories', { body: { storyId } }), {
    done: t('chat.story.deleted'),
    onSuccess: async () => {
      flushSync(() => setAsked(false));
      client.setQueryData(ownStoryQuery.queryKey, null);
      // It navigates to another page.
      await historySettled();
      onDeleted();
    },
  });
  return (
    <>
      <ActionIcon
        {...WHITE}
        aria-label={t('chat.story.deleteStory')}
        onClick={() => {
          onOpen();
          setAsked(true);
        }}
      >
        <IconTrash size={20} />
      </ActionIcon>
      <FormDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('chat.story.deleteTitle')}
        submit={t('ui.common.delete')}
        color="red"
        loading={end.isPending}
        onSubmit={() => end.mutate(undefined)}
      >
        <Text size="sm">{t('chat.story.deleteText')}</Text>
      </FormDialog>
    </>
  );
}
