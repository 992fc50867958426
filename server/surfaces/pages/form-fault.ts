import type { FastifyError } from 'fastify';
import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import { ApiError } from '#platform/errors.ts';
import type { FieldName, FormFault } from './account-pages.ts';
import type { PageTexts } from './texts/en.ts';

function wanted(t: PageTexts): Record<FieldName, string> {
  return {
    name: t.wantedName,
    email: t.wantedEmail,
    code: t.wantedCode,
    password: t.wantedPassword(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max),
  };
}

/** An error that the person can correct in the form, in words for a page; undefined for other errors. */
export function findFormFault(t: PageTexts, error: unknown): FormFault | undefined {
  if (error instanceof ApiError) return explain(t, error);
  const [fault] = (error as Partial<FastifyError>).validation ?? [];
  if (!fault) return undefined;
  const field = fault.keyword === 'required' ? fault.params['missingProperty'] : fault.instancePath.slice(1);
  const words: Record<string, string> = wanted(t);
  const message = typeof field === 'string' && Object.hasOwn(words, field) ? words[field] : undefined;
  return message === undefined ? undefined : { field: field as FieldName, message };
}

function explain(t: PageTexts, { status, headers, message, said }: ApiError): FormFault | undefined {
  const { reason = '' } = said;
  if (/^(sign-up\.|account\.email-unconfirmed|field\.terms)/.test(reason))
    return { message: t.serverSays(said) };
  switch (status) {
    case 400:
      // Only errors that the schema cannot detect get here.
      return message.startsWith('password ')
        ? { field: 'password', message: t.leakedPassword }
        : { field: 'email', message: t.wantedEmail };
    case 401:
      return { message: t.wrongPassword };
    case 409:
      return {
        field: 'email',
        message: t.takenEmail,
      };
    case 429:
      return { message: t.tooManyAttempts(Math.ceil(Number(headers['retry-after']) / 60)) };
    default:
      return undefined;
  }
}

/** The same for the code page. */
export function findCodeFault(t: PageTexts, error: unknown): FormFault | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 429) return explain(t, error);
  if (error.status !== 401) return undefined;
  return error.said.reason === 'sign-in.wrong-code'
    ? { field: 'code', message: t.wrongCode }
    : { message: t.tookTooLong };
}
