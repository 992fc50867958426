import { type TSchema, Type } from 'typebox';
import { ERROR_CODES } from './errors.ts';

/**
 * The envelope of every successful answer (contract §1).
 *
 * @param data schema of the `data` field
 * @returns schema of `{ status: "success", message, data, timestamp }`; `timestamp` is epoch milliseconds
 */
export function Success<T extends TSchema>(data: T) {
  return Type.Object({
    status: Type.Literal('success'),
    message: Type.String(),
    data,
    timestamp: Type.Integer({ description: 'Epoch milliseconds.' }),
  });
}

/** The envelope of every error (contract §1 and §7). `message` names the faulty field where there is one. */
export const Failure = Type.Object({
  status: Type.Literal('error'),
  code: Type.Enum(ERROR_CODES),
  message: Type.String(),
});

/** An error of `/oauth/token` and `/oauth/revoke`: that of RFC 6749 §5.2 and ours at once (decisions: OAuth). */
export const OAuthFailure = Type.Object({
  ...Failure.properties,
  error: Type.Optional(Type.String()),
  error_description: Type.Optional(Type.String()),
});
