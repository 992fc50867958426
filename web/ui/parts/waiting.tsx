import { Center, Loader } from '@mantine/core';
import { useTexts } from '../texts.ts';

/** Shown in place of a whole screen while it is loading. */
export function Waiting() {
  const t = useTexts();
  return (
    <Center mih="60vh" role="status" aria-label={t('ui.common.loading')}>
      <Loader />
    </Center>
  );
}
