/** That nobody signs in to an account until then, and why. */
export interface Suspension {
  until: number;
  reason: string;
}

/** Stands for a suspension without an end. */
export const NO_END = Number.MAX_SAFE_INTEGER;

/** Whether the suspension that stands in an account holds now. */
export function isInForce(suspension: Suspension | undefined, now: number): suspension is Suspension {
  return suspension !== undefined && now < suspension.until;
}
