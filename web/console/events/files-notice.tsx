import { Alert } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callChat } from '../../ui/api.ts';
import { useTexts } from '../../ui/texts.ts';
import { eventsTexts } from './texts.ts';

const mediaQuery = queryOptions({
  queryKey: ['media-limits'],
  queryFn: ({ signal }) => callChat('GET /media/limits', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Explains why a bot on another machine cannot load uploads. */
export function FilesNotice() {
  const t = useTexts(eventsTexts);
  const limits = useQuery(mediaQuery).data;
  if (!limits || limits.isPublic) return null;
  return (
    <Alert variant="default" icon={<IconPhotoOff />} title={t.filesTitle} maw={640}>
      {t.filesText}
    </Alert>
  );
}
