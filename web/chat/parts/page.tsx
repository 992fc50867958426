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
    <div className={classes.page}>
      <title>{`${title} – ${t('ui.common.service')}`}</title>
      <header className={classes.head}>
        <ActionIcon component={Link} to={back} size="lg" aria-label={t('ui.common.back')}>
          <IconArrowLeft size={20} />
        </ActionIcon>
        <h1 className={classes.title}>{title}</h1>
      </header>
      <div className={classes.content}>
        {lead && (
          <Text c="dimmed" mb="lg">
            {lead}
          </Text>
        )}
        {children}
      </div>
    </div>
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
