import { Avatar as MantineAvatar } from '@mantine/core';

/** Of what does not exist yet. */
const NEUTRAL = '#495057';

const COLOURS = ['#0b7285', '#1f55c8', '#5f3dc4', '#862e9c', '#a61e4d', '#a13e06', '#2b6a2f', '#495057'];

/** A person's, bot's or group's picture, or their initials on a stable colour. Decorative: the name
 * is beside it. */
export function Avatar({
  name,
  seed,
  pictureUrl,
  size = 38,
}: {
  name: string;
  /** Determines the colour, everywhere the same: the id. */
  seed?: string | undefined;
  pictureUrl?: string | undefined;
  size?: number;
}) {
  return (
    <MantineAvatar
      src={pictureUrl ?? null}
      size={size}
      alt=""
      aria-hidden="true"
      imageProps={{ referrerPolicy: 'no-referrer', loading: 'lazy' }}
      styles={{
        placeholder: {
          background: seed === undefined ? NEUTRAL : colourOf(seed),
          color: '#fff',
          fontWeight: 600,
        },
      }}
    >
      {initials(name)}
    </MantineAvatar>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

function colourOf(seed: string): string {
  let sum = 0;
  for (const character of seed) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return COLOURS[sum % COLOURS.length] as string;
}
