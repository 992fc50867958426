import type { LightMyRequestResponse } from 'fastify';

/** A response, as tests inspect it. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the whole body
  body: any;
  headers: Record<string, unknown>;
  /** The reason of a refusal, which only people's pages get. */
  reason?: string;
}

/** The body of an answer. */
export function success(message: string, data: unknown, timestamp: number) {
  return { status: 'success', message, data, timestamp };
}

/** The body of an error. */
export function failure(code: string, message: string) {
  return { status: 'error', code, message };
}

/** The status and body of an error, as {@link plain} returns them. */
export function refusal(status: number, code: string, message: string) {
  return { status, body: failure(code, message) };
}

export const invalid = (message: string) => refusal(400, 'invalid-argument', message);
export const denied = (message: string) => refusal(403, 'permission-denied', message);
export const missing = (message: string) => refusal(404, 'not-found', message);
export const precondition = (message: string) => refusal(400, 'failed-precondition', message);

/** The same at an OAuth endpoint, in both forms (decisions: OAuth). */
export function oauthRefusal(status: number, error: string, code: string, message: string) {
  return { status, body: { error, error_description: message, ...failure(code, message) } };
}

/** A response without its headers. */
export function plain({ status, body }: Answer) {
  return { status, body };
}

/** The data of an answer that must be a success. */
export function dataOf({ status, body }: Answer, ...asked: unknown[]): Answer['body'] {
  if (status >= 300) throw new Error(`${JSON.stringify(asked)} answered ${JSON.stringify(body)}`);
  return body.data;
}

/** Reads a response; the reason of a refusal comes in addition to the contract's envelope, only on people's pages. */
export function readAnswer(answer: LightMyRequestResponse): Answer {
  const { statusCode: status, headers } = answer;
  if (answer.body === '') return { status, headers, body: undefined };
  const { reason, values: _, ...body } = answer.json();
  return { status, headers, body, ...(reason !== undefined && { reason }) };
}
