import english from '#locales/en.json' with { type: 'json' };
import { fill, type Values, type ValuesFor } from './texts.ts';

/** Every English message of an error or a finding, by its reason. */
export const REASONS = english.errors;

/** The stable name of an error or a finding, such as `group.not-a-member`. Pages translate by it. */
export type Reason = keyof typeof REASONS;

/** The part of a field's reason after `field.`, such as `required`. */
export type FieldFault = FaultIn<Reason>;

/** The part of a failed post's reason after `failure.`, such as `dns`. */
export type Failure = FailureIn<Reason>;

type FaultIn<R> = R extends `field.${infer F}` ? F : never;
type FailureIn<R> = R extends `failure.${infer F}` ? F : never;

/** The values that a reason's message requires; none if it has no placeholders. */
export type ValuesOf<R extends Reason> = ValuesFor<(typeof REASONS)[R]>;

/** The same for a field's fault, without the name of the field. */
export type FaultValuesOf<F extends FieldFault> = ValuesFor<(typeof REASONS)[`field.${F}`], 'field'>;

/** A reason whose message needs no values. */
export type PlainReason = { [R in Reason]: ValuesOf<R> extends [] ? R : never }[Reason];

/** A fault of a field whose message needs no values. */
export type PlainFault = { [F in FieldFault]: FaultValuesOf<F> extends [] ? F : never }[FieldFault];

/** A message: the reason and its values for programs, the English text for people. */
export interface Said {
  reason: Reason;
  values: Values;
  message: string;
}

/**
 * Fills the values into a reason's message.
 *
 * @param values one for each `{name}` in the message
 */
export function say<R extends Reason>(reason: R, ...[given]: ValuesOf<R>): Said {
  const values: Values = given ?? {};
  return { reason, values, message: fill(REASONS[reason], values, 'en') };
}

/**
 * A fault of a field: `sayOfField('name', 'too-long', { limit: 64 })`.
 *
 * @param field the path of the field, with dots, such as `commands.0.name`
 */
export function sayOfField<F extends FieldFault>(
  field: string,
  fault: F,
  ...[values]: FaultValuesOf<F>
): Said {
  const reason: Reason = `field.${fault}`;
  const all: Values = { ...values, field };
  return { reason, values: all, message: fill(REASONS[reason], all, 'en') };
}

/** The message of a stored reason; undefined for a reason that this version does not know. */
export function sayStored(reason: string, values: Values = {}): Said | undefined {
  return isReason(reason) ? { reason, values, message: fill(REASONS[reason], values, 'en') } : undefined;
}

/** Whether this version knows the reason. */
function isReason(reason: string): reason is Reason {
  return Object.hasOwn(REASONS, reason);
}
