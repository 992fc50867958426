import { type Static, Type } from 'typebox';
import { ChatMessage, Peer } from '../chat.ts';
import { SEARCHED_KINDS } from '../choices.ts';
import { id, UserId } from '../ids.ts';

const Moment = Type.String({ pattern: '^[0-9]{1,15}$', description: 'Epoch milliseconds.' });

/** Query of `GET /api/chat/search`. An omitted field matches everything; at least one of `words`, `from` and `kind` is required. `until` is exclusive. */
export const SearchMessages = Type.Object({
  words: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'A message matches if it contains all of the words, regardless of case and accents.',
    }),
  ),
  conversationId: Type.Optional(id()),
  from: Type.Optional(UserId),
  kind: Type.Optional(Type.Enum(SEARCHED_KINDS)),
  since: Type.Optional(Moment),
  until: Type.Optional(Moment),
  before: Type.Optional(id()),
});

export type SearchMessages = Static<typeof SearchMessages>;

/** `data` of `GET /api/chat/search`: the matches in one range of messages, newest first. */
export const FoundMessages = Type.Object({
  messages: Type.Array(ChatMessage),
  people: Type.Array(Peer),
  looked: Type.Integer({ description: 'How many messages were searched.' }),
  nextBefore: Type.Optional(
    Type.String({ description: 'The `before` of the next range; omitted at the end.' }),
  ),
});

export type FoundMessages = Static<typeof FoundMessages>;
