import type { Static } from 'typebox';
import type { SimulatorMessage, SimulatorPoll } from '#contract/applications/simulator.ts';
import type { ContentType } from '#contract/messages.ts';

interface Field {
  name:
    | 'content'
    | 'fileUrl'
    | 'thumbnailUrl'
    | 'caption'
    | 'latitude'
    | 'longitude'
    | 'question'
    | 'options';
  isRequired?: boolean;
  isLong?: boolean;
}

const file: Field = { name: 'fileUrl', isRequired: true };
const caption: Field = { name: 'caption' };

/** The fields of each message type (contract §2, Message content). */
export const FIELDS = {
  text: [{ name: 'content', isRequired: true }],
  image: [file, caption],
  video: [file, { name: 'thumbnailUrl', isRequired: true }, caption],
  audio: [file],
  doc: [file, caption],
  gif: [file],
  sticker: [file],
  location: [
    { name: 'latitude', isRequired: true },
    { name: 'longitude', isRequired: true },
  ],
  poll: [
    { name: 'question', isRequired: true },
    { name: 'options', isRequired: true, isLong: true },
  ],
} satisfies Record<string, Field[]> as Record<MessageType, Field[]>;

export type MessageType =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'doc'
  | 'gif'
  | 'sticker'
  | 'location'
  | 'poll';

/** The request body: for a poll its question and options, for other types their content. */
export function readPoll(filled: Record<string, string>): Static<typeof SimulatorPoll> {
  const options = (filled['options'] ?? '').split('\n').map((option) => option.trim());
  return { question: filled['question'] ?? '', options: options.filter((option) => option !== '') };
}

/** The server refuses what is missing, in its own words. */
export function readMessage(
  type: ContentType,
  filled: Record<string, string>,
): Static<typeof SimulatorMessage> {
  if (type === 'location') {
    return {
      type,
      location: { latitude: Number(filled['latitude']), longitude: Number(filled['longitude']) },
    };
  }
  const given = Object.entries(filled).filter(([, value]) => value !== '');
  return { type, ...Object.fromEntries(given) } as Static<typeof SimulatorMessage>;
}
