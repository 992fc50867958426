import type { Config } from '#platform/config.ts';
import type { Platform } from '#platform/platform.ts';

/** The result of a check: nothing to do, something to look at, or something that has to be fixed. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'fault';
  what: string;
  /** The remedy, for the operator. */
  remedy?: string;
}

export interface DoctorDeps extends Pick<Platform, 'clock' | 'random'> {
  config: Config;
  /** Less free disk than this is a fault. */
  minFreeBytes: number;
  /** So many rows of each table are opened. */
  maxRows: number;
  /** A URL to try beside those of the applications. */
  webhookUrl: string | undefined;
}

export function ok(check: string, what: string): Finding {
  return { check, state: 'ok', what };
}

export function warning(check: string, what: string, remedy: string): Finding {
  return { check, state: 'warning', what, remedy };
}

export function fault(check: string, what: string, remedy: string): Finding {
  return { check, state: 'fault', what, remedy };
}

/** The short name of what went wrong, such as `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException & {
    cause?: { code?: string; message?: string };
  };
  return code ?? cause?.code ?? (message || cause?.message || 'no reason given');
}
