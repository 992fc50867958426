import { type Static, Type } from 'typebox';

/**
 * A finding about a receiver, a signature or an alert: the English text, and for pages in other languages the reason (one of
 * those in `reasons.ts`) with its values. Findings stored by versions without reasons have neither.
 */
export const Finding = Type.Object({
  message: Type.String({ description: 'The failure, and what to do about it.' }),
  reason: Type.Optional(Type.String({ description: 'The stable name of the message.' })),
  values: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'The values in the message, by name.',
    }),
  ),
});

export type Finding = Static<typeof Finding>;
