/** A request that the server itself failed. */
export interface RequestError {
  at: number;
  requestId: string;
  method: string;
  /** The pattern: a path may hold ids and secrets. */
  route: string;
  status: number;
}

const KEPT = 20;

/** The last failed requests of this process, the newest first. What went wrong stands in the log, under the request id. */
export class RecentErrors {
  #errors: readonly RequestError[] = [];

  add(error: RequestError): void {
    this.#errors = [error, ...this.#errors].slice(0, KEPT);
  }

  list(): readonly RequestError[] {
    return this.#errors;
  }
}
