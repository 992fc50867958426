export interface RequestError {
  at: number;
  requestId: string;
  method: string;
  /** The pattern: a path may contain IDs and secrets. */
  route: string;
  status: number;
}

const KEPT = 20;

/** The last failed requests of this process, newest first. The errors are in the log, under the request ID. */
export class RecentErrors {
  #errors: readonly RequestError[] = [];

  add(error: RequestError): void {
    this.#errors = [error, ...this.#errors].slice(0, KEPT);
  }

  list(): readonly RequestError[] {
    return this.#errors;
  }
}
