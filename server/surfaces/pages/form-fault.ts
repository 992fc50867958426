import type { FastifyError } from 'fastify';
import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import { WRONG_CODE } from '#features/accounts/sign-in.ts';
import { ApiError } from '#platform/errors.ts';
import type { FieldName, FormFault } from './account-pages.ts';

const WANTED: Record<FieldName, string> = {
  name: 'Enter a name of 1 to 64 characters.',
  email: 'Enter an e-mail address, such as ada@example.com.',
  code: 'Enter the code.',
  password: `Enter a password of ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`,
};

/** What the person can mend in the form, in words for a page; undefined for an error that is not about the form. */
export function findFormFault(error: unknown): FormFault | undefined {
  if (error instanceof ApiError) return explain(error);
  const [fault] = (error as Partial<FastifyError>).validation ?? [];
  if (!fault) return undefined;
  const field = fault.keyword === 'required' ? fault.params['missingProperty'] : fault.instancePath.slice(1);
  return isField(field) ? { field, message: WANTED[field] } : undefined;
}

function explain({ status, headers }: ApiError): FormFault | undefined {
  switch (status) {
    case 400:
      return { field: 'email', message: WANTED.email };
    case 401:
      return { message: 'The e-mail address or the password is wrong.' };
    case 409:
      return {
        field: 'email',
        message: 'This address already has an account: sign in below, or enter another.',
      };
    case 429:
      return { message: `Too many attempts. Try again ${inWords(Number(headers['retry-after']))}.` };
    default:
      return undefined;
  }
}

/** The same for the page of the second step. */
export function findCodeFault(error: unknown): FormFault | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 429) return explain(error);
  if (error.status !== 401) return undefined;
  return error.message === WRONG_CODE
    ? { field: 'code', message: 'This code is wrong, or was used before. Wait for the next one.' }
    : { message: 'This took too long, or you have signed in already. Begin again.' };
}

function isField(name: unknown): name is FieldName {
  return typeof name === 'string' && Object.hasOwn(WANTED, name);
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`;
}
