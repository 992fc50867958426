import type { Answer } from './world.ts';

/** The body of an error, as {@link plain} gives it. */
export function refusal(status: number, code: string, message: string) {
  return { status, body: { status: 'error', code, message } };
}

/** An answer without its headers. */
export function plain({ status, body }: Answer) {
  return { status, body };
}
