import { Center, Loader } from '@mantine/core';
import { commonTexts } from '../common-texts.ts';
import { useTexts } from '../texts.ts';

/** Shown in place of a whole screen while it is loading. */
export function Waiting() {
  const t = useTexts(commonTexts);
  return (
    <Center mih="60vh" role="status" aria-label={t.loading}>
      <Loader />
    </Center>
  );
}
