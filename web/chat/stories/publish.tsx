import { SegmentedControl, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { LIMITS } from '#contract/limits.ts';
import { callChat } from '../../ui/api.ts';
import { useDraftKey } from '../../ui/draft-key.ts';
import { Fault, tell } from '../../ui/parts/faults.tsx';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Actions, Page } from '../parts/page.tsx';
import { MediaField, type StoryMedia } from './media-field.tsx';
import { ownStoryQuery } from './queries.ts';

type Kind = 'text' | 'image' | 'video';

/** Adds an element to the person's story. */
export function Component() {
  const t = useTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const keyOf = useDraftKey();
  const [kind, setKind] = useState<Kind>('text');
  const [text, setText] = useState('');
  const [{ url, thumbnailUrl }, setMedia] = useState<StoryMedia>({ url: '' });
  const add = useMutation({
    mutationFn: () => {
      const element =
        kind === 'text'
          ? { type: kind, text }
          : { type: kind, [`${kind}Url`]: url, ...(thumbnailUrl !== undefined && { thumbnailUrl }) };
      return callChat('POST /stories', { body: element, idempotencyKey: keyOf(element) });
    },
    onSuccess: async () => {
      tell(t('chat.story.published'));
      await client.invalidateQueries(ownStoryQuery);
      navigate('/', { replace: true });
    },
  });
  const isReady =
    kind === 'text' ? text.trim() !== '' && codePoints(text) <= LIMITS.storyTextLength : url !== '';
  return (
    <Page title={t('chat.story.newStory')} lead={t('chat.story.newLead')}>
      <Form gap="lg" onSubmit={() => add.mutate(undefined)}>
        <SegmentedControl
          aria-label={t('chat.story.kind')}
          value={kind}
          onChange={(chosen) => {
            setKind(chosen as Kind);
            setMedia({ url: '' });
          }}
          data={[
            { value: 'text', label: t('chat.story.kindText') },
            { value: 'image', label: t('chat.story.kindImage') },
            { value: 'video', label: t('chat.story.kindVideo') },
          ]}
        />
        {kind === 'text' ? (
          <Textarea
            label={t('chat.story.text')}
            description={<LengthHint text={text} limit={LIMITS.storyTextLength} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            minRows={4}
            maxRows={12}
            required
          />
        ) : (
          <MediaField key={kind} kind={kind} url={url} onChange={setMedia} />
        )}
        {add.isError && <Fault error={add.error} />}
        <Actions>
          <Submit of={add} disabled={!isReady}>
            {t('chat.story.publish')}
          </Submit>
        </Actions>
      </Form>
    </Page>
  );
}
