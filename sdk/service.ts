import { ParleyError } from './error.ts';
import { QuotaQueue } from './quota-queue.ts';
import { findError } from './read-answer.ts';
import { requiredAddress } from './required.ts';

/** The address of the service, and how to call it. Only `baseUrl` is required. */
export interface ServiceOptions {
  /** The address of the service, such as `https://chat.example.com`. */
  baseUrl: string | undefined;
  /** Used for requests instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** The time in epoch milliseconds. */
  now?: () => number;
  /** Waits; rejects if the signal aborts. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** How often a call is retried after a 429 for a quota, a 502, 503 or 504, or no response; defaults to 4. */
  retries?: number;
  /** The timeout of one attempt, in milliseconds; defaults to 30,000. */
  timeoutMs?: number;
  /**
   * How many calls of one endpoint may wait for its quota; further ones fail with 429. Defaults to 1,000; with 0, no call
   * waits, and the service answers what is too much with 429.
   */
  mostWaiting?: number;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, including its waits. */
  signal?: AbortSignal;
  /** Replaces the random key of a creating call: 1 to 255 visible ASCII characters. */
  idempotencyKey?: string;
  /** Tries the call once, and fails with 429 instead of waiting for the quota: what comes late would be of no use. */
  isFleeting?: boolean;
}

/** One outgoing request. */
export interface ServiceRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** The pattern of a path with parameters, which share a quota. */
  route?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent instead of a JSON body, with more time. */
  form?: FormData | undefined;
  signal?: AbortSignal | undefined;
  isFleeting?: boolean | undefined;
  /** Not idempotent: it is retried only if it certainly did not run. */
  isToggle?: boolean;
}

const LONGEST_WAIT_MS = 60_000;
/** As long as the service waits for a file. */
const FORM_TIMEOUT_MS = 600_000;
const MOST_WAITING = 1000;

/**
 * Makes requests: in the order and at the rate that the quota admits, and with retries after 1, 2, 4 … s or as the service asks,
 * where they can help.
 */
export class Service {
  readonly baseUrl: string;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #fetch: typeof fetch;
  readonly #retries: number;
  readonly #timeoutMs: number;
  readonly #quotas: QuotaQueue;

  constructor(options: ServiceOptions) {
    this.baseUrl = requiredAddress('baseUrl', options.baseUrl);
    this.#fetch = options.fetch ?? ((...request) => fetch(...request));
    this.now = options.now ?? Date.now;
    this.sleep = options.sleep ?? sleep;
    this.#retries = options.retries ?? 4;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#quotas = new QuotaQueue(this.now, this.sleep, options.mostWaiting ?? MOST_WAITING);
  }

  /** @throws ParleyError; or the signal's reason if it aborts */
  async call(request: ServiceRequest): Promise<unknown> {
    const body = request.body === undefined ? request.form : JSON.stringify(request.body);
    // Throws for what no request can carry, such as a key in other letters: to try again would not help.
    const headers = new Headers(request.headers);
    if (typeof body === 'string') headers.set('content-type', 'application/json');
    for (let tries = 0; ; tries++) {
      const answer = await this.#try(request, headers, body);
      if (!(answer instanceof ParleyError)) return answer.body;
      if (request.isFleeting || tries >= this.#retries || !mayTryAgain(answer, request)) throw answer;
      await this.sleep(waitMs(tries, answer), request.signal);
    }
  }

  /**
   * A response whose body the caller reads as it arrives; one attempt.
   *
   * @throws ParleyError if there is none; or the signal's reason if it aborts
   */
  async open(request: ServiceRequest): Promise<Response> {
    const connecting = new AbortController();
    const timer = setTimeout(() => connecting.abort(), this.#timeoutMs);
    try {
      return await this.#send(request, request.headers ?? {}, connecting.signal);
    } catch (cause) {
      request.signal?.throwIfAborted();
      throw this.#unreachable(request, cause);
    } finally {
      clearTimeout(timer);
    }
  }

  #send(
    { method, path, signal }: ServiceRequest,
    headers: Headers | Record<string, string>,
    timeout: AbortSignal,
    body?: string | FormData,
  ): Promise<Response> {
    const send = this.#fetch;
    return send(this.baseUrl + path, {
      method,
      headers,
      body: body ?? null,
      // A redirect would send the credential to another host.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  }

  async #try(
    request: ServiceRequest,
    headers: Headers,
    body: string | FormData | undefined,
  ): Promise<{ body: unknown } | ParleyError> {
    const { method, path, route = path.split('?', 1)[0], signal, isFleeting } = request;
    const leave = await this.#quotas.enter(`${method} ${route}`, signal, isFleeting);
    const timeoutMs = request.form ? Math.max(this.#timeoutMs, FORM_TIMEOUT_MS) : this.#timeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    let answered: Headers | undefined;
    try {
      const response = await this.#send(request, headers, timeout, body);
      answered = response.headers;
      const text = await response.text();
      return findError(response, text) ?? { body: JSON.parse(text) };
    } catch (cause) {
      signal?.throwIfAborted();
      // In Node 20, `any` does not keep it alive.
      return this.#unreachable(request, timeout.reason ?? cause);
    } finally {
      leave(answered);
    }
  }

  #unreachable({ method, path }: ServiceRequest, cause: unknown): ParleyError {
    return new ParleyError(`${method} ${this.baseUrl}${path} got no answer: ${reasonOf(cause)}`, {
      status: 0,
      code: 'unreachable',
      cause,
    });
  }
}

/** Such as `ECONNREFUSED`; of a failed `fetch`, the reason is in its cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: inner } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? inner ?? message;
}

/** The wait before the next try: 1, 2, 4 … s, or as long as the service asked for. */
export function waitMs(failures: number, error?: unknown): number {
  const askedSeconds = (error instanceof ParleyError && error.retryAfterSeconds) || 0;
  return Math.max(Math.min(1000 * 2 ** failures, LONGEST_WAIT_MS), askedSeconds * 1000);
}

/** The service, or a proxy's way to it, is away, or it has no database. */
export function isOutage(error: unknown): boolean {
  return error instanceof ParleyError && [0, 502, 503, 504].includes(error.status);
}

/** A full group or a missing right is permanent, and a limit of a person may last a day; a quota or an outage is temporary. */
function mayTryAgain(error: ParleyError, { isToggle }: ServiceRequest): boolean {
  const isShort = (error.retryAfterSeconds ?? 0) * 1000 <= LONGEST_WAIT_MS;
  return (error.code === 'RATE_LIMIT_EXCEEDED' && isShort) || (!isToggle && isOutage(error));
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
