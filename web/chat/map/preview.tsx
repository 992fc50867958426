import { Anchor, Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { OUTWARD } from '../../ui/shown-url.ts';
import { useTexts } from '../../ui/texts.ts';
import { agreeToMap, useMap } from './consent.ts';
import classes from './map.module.css';
import { tilesAround } from './tiles.ts';

const SIZE = { width: 320, height: 144, zoom: 15 };

/** A small map of a location, or its replacement if there are no maps, they cannot be loaded, or the person has not agreed to them. */
export function MapPreview({
  latitude,
  longitude,
  children,
}: {
  latitude: number;
  longitude: number;
  children: ReactNode;
}) {
  const map = useMap();
  const [isFailed, setFailed] = useState(false);
  if (!map?.isAgreed || isFailed) return children;
  return (
    <div className={classes.preview}>
      {tilesAround(map.url, { latitude, longitude }, SIZE).map(({ url, left, top }) => (
        // Tile servers require the referrer.
        <img
          key={url}
          src={url}
          alt=""
          width={256}
          height={256}
          loading="lazy"
          referrerPolicy="origin"
          onError={() => setFailed(true)}
          style={{ marginLeft: left, marginTop: top }}
        />
      ))}
      <svg viewBox="0 0 24 24" className={classes.pin} aria-hidden="true">
        <path d="M12 23c-1-4-8-9-8-15a8 8 0 0 1 16 0c0 6-7 11-8 15z" />
      </svg>
      <span className={classes.attribution}>{map.attribution}</span>
    </div>
  );
}

/** Offers maps to those who have not agreed to them. */
export function AskForMap() {
  const t = useTexts();
  const map = useMap();
  const [isAsking, setAsking] = useState(false);
  if (!map || map.isAgreed) return null;
  return (
    <>
      <Button variant="subtle" size="compact-xs" onClick={() => setAsking(true)}>
        {t('chat.map.show')}
      </Button>
      {isAsking && (
        <Dialog opened onClose={() => setAsking(false)} title={t('chat.map.show')}>
          <MapConsent />
        </Dialog>
      )}
    </>
  );
}

/** Explains the privacy cost before the first map is loaded. */
export function MapConsent() {
  const t = useTexts();
  const map = useMap();
  if (!map || map.isAgreed) return null;
  return (
    <Stack gap="xs" align="flex-start" className={classes.consent ?? ''}>
      <Text size="sm">{t('chat.map.consent', { host: map.host })}</Text>
      <Button variant="default" size="xs" onClick={() => agreeToMap(map.host)}>
        {t('chat.map.agree')}
      </Button>
    </Stack>
  );
}

/** The attribution that map licences require. */
export function Attribution() {
  const map = useMap();
  if (!map) return null;
  const words = map.attribution;
  if (!words.includes('OpenStreetMap')) return <Text size="xs">{words}</Text>;
  return (
    <Anchor size="xs" href="https://www.openstreetmap.org/copyright" {...OUTWARD}>
      {words}
    </Anchor>
  );
}
