import type { LightMyRequestResponse } from 'fastify';
/** An answer as tests look at it. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the whole of it
  body: any;
  headers: Record<string, unknown>;
  /** Of a refusal, for people's pages alone. */
  reason?: string;
}

/** The body of an error, as {@link plain} gives it. */
export function refusal(status: number, code: string, message: string) {
  return { status, body: { status: 'error', code, message } };
}

/** An answer without its headers. */
export function plain({ status, body }: Answer) {
  return { status, body };
}

/** The answer. Beside the contract's envelope stands the reason of a refusal, which only people's pages get. */
export function readAnswer(answer: LightMyRequestResponse): Answer {
  const { statusCode: status, headers } = answer;
  if (answer.body === '') return { status, headers, body: undefined };
  const { reason, values: _, ...body } = answer.json();
  return { status, headers, body, ...(reason !== undefined && { reason }) };
}
