import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../ui/texts.ts';
import { askFor, useLoading } from './loading.ts';
import classes from './remote.module.css';

/** Media that may be on another server: shown at once, or on a click if that server must not learn the reader's IP address. */
export function Remote({
  url,
  from,
  label,
  children,
}: {
  url: string;
  /** The sender. */
  from: string;
  /** The label of the button. */
  label: string;
  children: ReactNode;
}) {
  const t = useTexts();
  const loading = useLoading(url, from);
  const [isAskedHere, setAskedHere] = useState(false);
  if (loading !== 'now') {
    const onAsk = () => {
      setAskedHere(true);
      askFor(url);
    };
    const isOffered = loading === 'on-click';
    return (
      <div className={classes.withheld} aria-busy={!isOffered || undefined}>
        {isOffered && (
          <>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
              onClick={onAsk}
            >
              {label}
            </Button>
            <Text size="xs" maw="100%">
              {t('chat.media.liesOn', { host: URL.parse(url)?.host ?? '' })}
            </Text>
          </>
        )}
      </div>
    );
  }
  // The clicked button is gone: the focus moves here.
  return isAskedHere ? (
    <div tabIndex={-1} ref={focus} className={classes.loaded}>
      {children}
    </div>
  ) : (
    children
  );
}

function focus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
