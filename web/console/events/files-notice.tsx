import { Alert } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callChat } from '../../ui/api.ts';
import { useTexts } from '../../ui/texts.ts';

const mediaQuery = queryOptions({
  queryKey: ['media-limits'],
  queryFn: ({ signal }) => callChat('GET /media/limits', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Explains why a bot on another machine cannot load uploads. */
export function FilesNotice() {
  const t = useTexts();
  const limits = useQuery(mediaQuery).data;
  if (!limits || limits.isPublic) return null;
  return (
    <Alert variant="default" icon={<IconPhotoOff />} title={t('console.events.filesTitle')} maw={640}>
      {t('console.events.filesText')}
    </Alert>
  );
}
