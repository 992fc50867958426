/** The end and the reason of a suspension. */
export interface Suspension {
  until: number;
  reason: string;
}

/** Represents a suspension without an end. */
export const NO_END = Number.MAX_SAFE_INTEGER;

/** Whether the suspension stored in an account is in force. */
export function isInForce(suspension: Suspension | undefined, now: number): suspension is Suspension {
  return suspension !== undefined && now < suspension.until;
}
