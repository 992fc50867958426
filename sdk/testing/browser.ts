/** Calls the server like a person's browser: with a session cookie, which it keeps. */
export class Browser {
  readonly #url: string;
  readonly #credentials: { email: string; password: string };
  #cookie = '';

  constructor(url: string, credentials: { email: string; password: string }) {
    this.#url = url;
    this.#credentials = credentials;
  }

  /** Signs in again after the session has ended, as it does when the clock is moved far. */
  async call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<T> {
    const answer = await this.#fetch(method, path, body);
    if (answer.status !== 401 || path.startsWith('/api/auth/')) return read<T>(answer, `${method} ${path}`);
    await this.call('POST', '/api/auth/sign-in', this.#credentials);
    return read<T>(await this.#fetch(method, path, body), `${method} ${path}`);
  }

  /** A page, or the response to its form; redirects are not followed. */
  page(path: string, form?: Record<string, string>): Promise<Response> {
    return fetch(new URL(path, this.#url), {
      headers: this.#headers(),
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
  }

  async #fetch(method: string, path: string, body?: object): Promise<Response> {
    const answer = await fetch(this.#url + path, {
      method,
      headers: { ...this.#headers(), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    this.#cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? this.#cookie;
    return answer;
  }

  #headers(): Record<string, string> {
    return { cookie: this.#cookie, origin: this.#url };
  }
}

async function read<T>(answer: Response, about: string): Promise<T> {
  const { data, message } = (await answer.json()) as { data: T; message: string };
  if (!answer.ok) throw new Error(`${about}: ${answer.status} ${message}`);
  return data;
}
