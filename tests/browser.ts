import { eventually } from '#testing/waits.ts';

/** The answer to a request, which is repeated while a busy server refuses it. */
export function fetchAdmitted(url: string, request: RequestInit): Promise<Response> {
  return eventually(async () => {
    const answer = await fetch(url, request);
    if (answer.status !== 503) return answer;
    await answer.body?.cancel();
    return undefined;
  }, `${request.method} ${url} without a 503`);
}

/** Calls the public API with an API key or an access token. */
export async function callApi(
  origin: string,
  credential: string,
  path: string,
  body?: object,
  { method = body ? 'POST' : 'GET', headers = {} } = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields they expect
): Promise<{ status: number; data: any; message: string }> {
  const answer = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, message } = (await answer.json()) as { data: unknown; message: string };
  return { status: answer.status, data, message };
}

/** Calls the JSON routes like a person's browser: keeps the session cookie and unwraps the envelope. */
export class Browser {
  readonly #origin: string;
  #cookie = '';

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Of its session, once there is one: `name=value`. */
  get cookie(): string {
    return this.#cookie;
  }

  get<T>(path: string): Promise<T> {
    return this.#call('GET', path) as Promise<T>;
  }

  post<T = Record<string, unknown>>(path: string, body: object): Promise<T> {
    return this.#call('POST', path, body) as Promise<T>;
  }

  put(path: string, body: object): Promise<unknown> {
    return this.#call('PUT', path, body);
  }

  patch(path: string, body: object): Promise<unknown> {
    return this.#call('PATCH', path, body);
  }

  delete(path: string, body: object = {}): Promise<unknown> {
    return this.#call('DELETE', path, body);
  }

  /** A page, or the response to its form; redirects are not followed. */
  page(path: string, form?: Record<string, string>): Promise<Response> {
    return fetch(new URL(path, this.#origin), {
      headers: { cookie: this.#cookie, origin: this.#origin },
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetchAdmitted(this.#origin + path, {
      method,
      headers: {
        cookie: this.#cookie,
        origin: this.#origin,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    this.#cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? this.#cookie;
    const envelope = (await answer.json()) as { data: unknown; message: string };
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${envelope.message}`);
    return envelope.data;
  }
}
