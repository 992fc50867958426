import { type TSchema, Type } from 'typebox';
import { ERROR_CODES } from './errors.ts';

/**
 * The envelope of every successful answer (contract §1), called `…Reply` if the data has a name.
 *
 * @param data schema of the `data` field
 * @returns schema of `{ status: "success", message, data, timestamp }`; `timestamp` is epoch milliseconds
 */
export function Success<T extends TSchema>(data: T) {
  const { title, description } = data as { title?: string; description?: string };
  return Type.Object(
    {
      status: Type.Literal('success'),
      message: Type.String({ description: 'What was done, in words.' }),
      data,
      timestamp: Type.Integer({ description: 'Epoch milliseconds.' }),
    },
    title === undefined ? {} : { title: `${title}Reply`, ...(description && { description }) },
  );
}

/** The envelope of every error (contract §1 and §7). `message` names the invalid field, if there is one. */
export const Failure = Type.Object(
  {
    status: Type.Literal('error'),
    code: Type.Enum(ERROR_CODES, {
      title: 'ErrorCode',
      description: 'The kind of error, for programs.',
    }),
    message: Type.String({
      description: 'What is wrong, in words; names the faulty field where there is one.',
    }),
  },
  { title: 'ErrorReply', description: 'Every error has this form.' },
);
