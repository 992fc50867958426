import { Center, Loader } from '@mantine/core';
import { commonTexts } from '../common-texts.ts';
import { useTexts } from '../texts.ts';

/** In place of a whole screen that is on its way. */
export function Waiting() {
  const t = useTexts(commonTexts);
  return (
    <Center mih="60vh" role="status" aria-label={t.loading}>
      <Loader />
    </Center>
  );
}
