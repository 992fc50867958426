import { type TSchema, Type } from 'typebox';
import { ERROR_CODES } from './errors.ts';

/**
 * The envelope of every successful answer (contract §1), called `…Reply` where the data has a name.
 *
 * @param data schema of the `data` field
 * @returns schema of `{ status: "success", message, data, timestamp }`; `timestamp` is epoch milliseconds
 */
export function Success<T extends TSchema>(data: T) {
  const { title } = data as { title?: string };
  return Type.Object(
    {
      status: Type.Literal('success'),
      message: Type.String({ description: 'What was done, for people.' }),
      data,
      timestamp: Type.Integer({ description: 'Epoch milliseconds.' }),
    },
    title === undefined ? {} : { title: `${title}Reply` },
  );
}

/** The envelope of every error (contract §1 and §7). `message` names the faulty field where there is one. */
export const Failure = Type.Object(
  {
    status: Type.Literal('error'),
    code: Type.Enum(ERROR_CODES, {
      title: 'ErrorCode',
      description: 'What kind of error it is; decide by it and the HTTP status.',
    }),
    message: Type.String({
      description: 'What is wrong, for people; names the faulty field where there is one.',
    }),
  },
  { title: 'Error', description: 'Every error has this form.' },
);
