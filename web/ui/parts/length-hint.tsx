import { Text } from '@mantine/core';
import { useTexts } from '../texts.ts';

/** Lengths are counted in Unicode code points, as the server does: an emoji is one. */
export function codePoints(text: string): number {
  return [...text].length;
}

/** Shows how much of a limit is left while typing. */
export function LengthHint({ text, limit }: { text: string; limit: number }) {
  const t = useTexts();
  const left = limit - codePoints(text);
  return (
    <Text component="span" size="xs" c={left < 0 ? 'red' : 'dimmed'} aria-live={left < 20 ? 'polite' : 'off'}>
      {left < 0 ? t('ui.common.charactersTooMany', { over: -left }) : t('ui.common.charactersLeft', { left })}
    </Text>
  );
}
