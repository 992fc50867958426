import type { App } from '#platform/http/app.ts';

export interface SignedUp {
  accountId: string;
  email: string;
  password: string;
  /** The value of the `cookie` header of this person's browser. */
  cookie: string;
}

let count = 0;

/** A person who signed up in an app with the accounts' routes at `/api/auth`. */
export async function signUpPerson(
  app: App,
  given: { email?: string; password?: string; name?: string } = {},
): Promise<SignedUp> {
  const email = given.email ?? `person${++count}@example.com`;
  const password = given.password ?? 'correct horse battery';
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/sign-up',
    payload: { email, password, name: given.name ?? 'Ada' },
  });
  if (answer.statusCode !== 201) throw new Error(`sign-up failed: ${answer.body}`);
  return { accountId: answer.json().data.account.accountId, email, password, cookie: cookieOf(answer) };
}

/** The `Cookie` header after a response that set a cookie. */
export function cookieOf({ headers }: { headers: Record<string, unknown> }): string {
  return String(headers['set-cookie']).split(';', 1)[0] as string;
}
