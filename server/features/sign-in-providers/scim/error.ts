import { type PlainReason, type Said, say, sayOfField } from '#contract/reasons.ts';
import { ApiError } from '#platform/errors.ts';

type ScimType = 'invalidFilter' | 'invalidSyntax' | 'invalidPath' | 'invalidValue';

/** An error with the keyword of RFC 7644 §3.12. */
export class ScimError extends ApiError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, said: Said) {
    super(400, 'invalid-argument', said);
    this.scimType = scimType;
  }
}

export function scimError(scimType: ScimType, reason: PlainReason): ScimError {
  return new ScimError(scimType, say(reason));
}

export function missing(field: string): ScimError {
  return new ScimError('invalidValue', sayOfField(field, 'required'));
}
