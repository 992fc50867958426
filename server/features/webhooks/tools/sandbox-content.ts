import type { IdKind } from '#contract/ids.ts';
import type { SimulateEvent } from '#contract/webhooks.ts';
import { idOf } from '#platform/ids.ts';
import type { EventContent } from '../rules.ts';

/**
 * Who writes simulated messages, and in which group: nobody, on every server. So an answer to one can be accepted like any
 * other without reaching a person, whether or not the owner ever wrote to the bot (docs/decisions/0093).
 */
export const SANDBOX = { userId: idOf('usr', 'sandbox'), groupId: idOf('grp', 'sandbox') };

const FILES = 'https://example.com/parley-sandbox';

/** Under a domain reserved for examples. */
const SHOWN = {
  image: { fileUrl: `${FILES}/image.jpg`, caption: 'A simulated image' },
  video: {
    fileUrl: `${FILES}/video.mp4`,
    thumbnailUrl: `${FILES}/video.jpg`,
    caption: 'A simulated video',
  },
  audio: { fileUrl: `${FILES}/audio.m4a` },
  doc: { fileUrl: `${FILES}/document.pdf`, caption: 'A simulated document' },
  gif: { fileUrl: `${FILES}/animation.gif` },
  sticker: { fileUrl: `${FILES}/sticker.webp` },
  location: { location: { latitude: 46.948, longitude: 7.4474, name: 'Bern' } },
};

/** The content of a simulated message of each type. */
export function sandboxContent(
  { type, text }: Pick<SimulateEvent, 'type' | 'text'>,
  newId: (kind: IdKind) => string,
): EventContent {
  if (type === 'text') return { type, body: { content: text ?? 'Hello! This message is simulated.' } };
  return { type, body: type === 'poll' ? { poll: sandboxPoll(newId) } : SHOWN[type] };
}

function sandboxPoll(newId: (kind: IdKind) => string) {
  return {
    id: newId('pol'),
    question: 'Tea or coffee?',
    options: ['Tea', 'Coffee'].map((text) => ({ id: newId('opt'), text })),
    allowMultipleAnswers: false,
    isAnonymous: false,
  };
}
