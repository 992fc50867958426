import { Text, Title } from '@mantine/core';
import { useTexts } from '../texts.ts';

/** The heading of a step of signing in, also in the window's title. */
export function StepHead({ title, lead }: { title: string; lead: string }) {
  const t = useTexts();
  return (
    <div>
      <title>{`${title} – ${t('ui.common.service')}`}</title>
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{lead}</Text>
    </div>
  );
}
