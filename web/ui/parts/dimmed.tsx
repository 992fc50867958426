import { Text, type TextProps } from '@mantine/core';
import type { ComponentProps } from 'react';

/** Words beside or below what they explain: smaller, and in a weaker colour. */
export function Dimmed(words: TextProps & Omit<ComponentProps<'p'>, keyof TextProps>) {
  return <Text size="sm" c="dimmed" {...words} />;
}
