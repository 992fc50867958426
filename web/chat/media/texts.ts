import type { LoadRemoteMedia } from '#contract/accounts/profiles.ts';
import { defineTexts } from '../../ui/texts.ts';

export const mediaTexts = defineTexts(
  {
    loadPicture: 'Load picture',
    loadSticker: 'Load sticker',
    loadVideo: 'Load video',
    loadAudio: 'Load audio',
    liesOn: (host: string) => `${host} would learn your IP address.`,
    fileGone: 'The browser no longer has the file. Attach it again.',
    noPoster: 'This browser cannot read the video. Send it as a document.',
  },
  {
    loadPicture: 'Bild laden',
    loadSticker: 'Sticker laden',
    loadVideo: 'Video laden',
    loadAudio: 'Audio laden',
    liesOn: (host) => `${host} erfährt dabei deine IP-Adresse.`,
    fileGone: 'Der Browser hat die Datei nicht mehr. Hänge sie noch einmal an.',
    noPoster: 'Dieser Browser kann das Video nicht lesen. Sende es als Dokument.',
  },
);

/** Whose media on other servers load automatically. */
export const loadTexts = defineTexts<Record<LoadRemoteMedia, string>>(
  {
    always: 'Always',
    contacts: 'From people I know',
    'on-click': 'On a click',
  },
  {
    always: 'Immer',
    contacts: 'Von Leuten, die ich kenne',
    'on-click': 'Erst auf einen Klick',
  },
);
