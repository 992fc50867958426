import type { FastifyRequest } from 'fastify';

/**
 * Values that the hooks of a surface attach to a request, for the surface's own code: handlers get them only through its
 * builder.
 */
export class RequestSlot<T> {
  /** A property of the request: a WeakMap would slow down every garbage collection. */
  readonly #key = Symbol('slot');

  set(request: FastifyRequest, value: T): void {
    (request as FastifyRequest & Record<symbol, T>)[this.#key] = value;
  }

  /** Undefined if no hook has called {@link set}. */
  find(request: FastifyRequest): T | undefined {
    return (request as FastifyRequest & Record<symbol, T | undefined>)[this.#key];
  }

  /** Only after the hook that sets it. */
  get(request: FastifyRequest): T {
    const value = this.find(request);
    if (value === undefined)
      throw new Error(`${request.routeOptions.url} is not behind the hook of its surface`);
    return value;
  }
}
