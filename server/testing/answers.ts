/** An answer as tests look at it. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the whole of it
  body: any;
  headers: Record<string, unknown>;
}

/** The body of an error, as {@link plain} gives it. */
export function refusal(status: number, code: string, message: string) {
  return { status, body: { status: 'error', code, message } };
}

/** An answer without its headers. */
export function plain({ status, body }: Answer) {
  return { status, body };
}
