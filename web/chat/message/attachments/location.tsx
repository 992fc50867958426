import { Text } from '@mantine/core';
import type { Static } from 'typebox';
import type { Location } from '#contract/messages.ts';
import { Dimmed } from '../../../ui/parts/dimmed.tsx';
import { OUTWARD } from '../../../ui/shown-url.ts';
import { language, useTexts } from '../../../ui/texts.ts';
import { AskForMap, MapPreview } from '../../map/preview.tsx';
import classes from './media.module.css';

const ZOOM = 16;

/** A location as a card: with a map, from another server, for those who agreed to that; drawn for everybody else. */
export function LocationBody({ location }: { location: Static<typeof Location> }) {
  const t = useTexts();
  const { latitude, longitude, name, address } = location;
  const coordinates = `${latitude}/${longitude}`;
  return (
    <>
      <a
        href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=${ZOOM}/${coordinates}`}
        {...OUTWARD}
        className={classes.place}
      >
        <MapPreview latitude={latitude} longitude={longitude}>
          <Drawing latitude={latitude} longitude={longitude} />
        </MapPreview>
        <Text fw={600} size="sm" mt={6}>
          {name || t('chat.message.place')}
        </Text>
        {address && <Text size="sm">{address}</Text>}
        <Dimmed size="xs">{inDegrees(latitude, longitude)}</Dimmed>
        <Text size="xs" td="underline">
          {t('chat.message.openMap')}
        </Text>
      </a>
      <AskForMap />
    </>
  );
}

/** The globe's grid lines around a location, with a pin: it shows the region, not the street. */
function Drawing({ latitude, longitude }: { latitude: number; longitude: number }) {
  const [x, y] = [((longitude + 180) % 15) * 4, ((90 - latitude) % 15) * 4];
  const lines = [-1, 0, 1, 2, 3, 4, 5, 6];
  return (
    <svg
      viewBox="0 0 300 140"
      preserveAspectRatio="xMidYMid slice"
      className={classes.map}
      aria-hidden="true"
    >
      <rect width="300" height="140" fill="light-dark(#dbe7f0, #1e2a35)" />
      <g fill="none" stroke="light-dark(#b3c8d8, #33465a)">
        {lines.map((i) => {
          const at = i * 60 - x;
          return <path key={i} d={`M${at} -10 Q${at + (150 - at) * 0.12} 70 ${at} 150`} />;
        })}
        {lines.map((i) => {
          const at = i * 60 - y;
          return <path key={i} d={`M-10 ${at} Q150 ${at + (70 - at) * 0.12} 310 ${at}`} />;
        })}
      </g>
      <path
        d="M150 96c-3-9-19-24-19-38a19 19 0 0 1 38 0c0 14-16 29-19 38z"
        fill="#d6336c"
        stroke="#fff"
        strokeWidth="2"
      />
      <circle cx="150" cy="58" r="7" fill="#fff" />
    </svg>
  );
}

function inDegrees(latitude: number, longitude: number): string {
  const format = new Intl.NumberFormat(language(), { maximumFractionDigits: 5 });
  const [north, east] = [latitude < 0 ? 'S' : 'N', longitude < 0 ? 'W' : 'E'];
  return `${format.format(Math.abs(latitude))}° ${north}, ${format.format(Math.abs(longitude))}° ${east}`;
}
