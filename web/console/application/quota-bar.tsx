import { Progress } from '@mantine/core';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { useTexts } from '../../ui/texts.ts';

/** How much of a quota is used in this minute. */
export function QuotaBar({ used, limit }: { used: number; limit: number }) {
  const t = useTexts();
  const words = t('console.usage.used', { used, limit });
  return (
    <>
      <Progress value={(used / limit) * 100} color={used >= limit ? 'red' : 'parley'} aria-label={words} />
      <Dimmed size="xs">{words}</Dimmed>
    </>
  );
}
