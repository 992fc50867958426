import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTexts } from '../../ui/texts.ts';
import classes from './page.module.css';

/** A screen beside the list that is not a conversation: title, back button and content. */
export function Page({
  title,
  lead,
  back = '/',
  children,
}: {
  title: string;
  lead?: ReactNode;
  back?: string;
  children: ReactNode;
}) {
  const t = useTexts();
  return (
    <Stack gap={0} h="100%" mih={0}>
      <title>{`${title} – ${t('ui.common.service')}`}</title>
      <header className={classes.head}>
        <ActionIcon component={Link} to={back} size="lg" aria-label={t('ui.common.back')}>
          <IconArrowLeft size={20} />
        </ActionIcon>
        <Text component="h1" size="lg" fw={650} lh={1.3}>
          {title}
        </Text>
      </header>
      <div className={`${classes.content} in-order`}>
        {lead && (
          <Text c="dimmed" mb="lg">
            {lead}
          </Text>
        )}
        {children}
      </div>
    </Stack>
  );
}

/** The buttons at the end of a form; on a page they stay in view, with why the last attempt failed. */
export function Actions({ fault, children }: { fault?: ReactNode; children: ReactNode }) {
  return (
    <Stack className={classes.actions ?? ''}>
      {fault}
      <Group justify="flex-end">{children}</Group>
    </Stack>
  );
}
