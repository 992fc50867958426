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

/** The content of a simulated message of each type. The files are under a domain reserved for examples. */
export function sandboxContent(
  { type, text }: Pick<SimulateEvent, 'type' | 'text'>,
  newId: (kind: IdKind) => string,
): EventContent {
  switch (type) {
    case 'text':
      return { type, body: { content: text ?? 'Hello! This message is simulated.' } };
    case 'image':
      return { type, body: { fileUrl: `${FILES}/image.jpg`, caption: 'A simulated image' } };
    case 'video':
      return {
        type,
        body: {
          fileUrl: `${FILES}/video.mp4`,
          thumbnailUrl: `${FILES}/video.jpg`,
          caption: 'A simulated video',
        },
      };
    case 'audio':
      return { type, body: { fileUrl: `${FILES}/audio.m4a` } };
    case 'doc':
      return { type, body: { fileUrl: `${FILES}/document.pdf`, caption: 'A simulated document' } };
    case 'gif':
      return { type, body: { fileUrl: `${FILES}/animation.gif` } };
    case 'sticker':
      return { type, body: { fileUrl: `${FILES}/sticker.webp` } };
    case 'location':
      return { type, body: { location: { latitude: 46.948, longitude: 7.4474, name: 'Bern' } } };
    case 'poll':
      return { type, body: { poll: sandboxPoll(newId) } };
    default:
      return type satisfies never;
  }
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
