import { ERRORS } from './reasons/errors.ts';
import { FIELD_FAULTS } from './reasons/fields.ts';
import { FINDINGS } from './reasons/findings.ts';
import { HEALTH } from './reasons/health.ts';

/**
 * Every English message of an error or a finding, by its reason. `{limit}` is a placeholder for a value;
 * `{limit|character|characters}` is a number with the noun that it counts, singular for 1.
 */
export const REASONS = { ...ERRORS, ...FIELD_FAULTS, ...FINDINGS, ...HEALTH };

/** The stable name of an error or a finding, such as `group.not-a-member`. Pages translate by it. */
export type Reason = keyof typeof REASONS;

/** The part of a field's reason after `field.`, such as `required`. */
export type FieldFault = FaultIn<Reason>;

type Value = string | number;

/** The part of a failed post's reason after `failure.`, such as `dns`. */
export type Failure = FailureIn<Reason>;

type FaultIn<R> = R extends `field.${infer F}` ? F : never;
type FailureIn<R> = R extends `failure.${infer F}` ? F : never;

/** The values of a message, by name. */
export type Values = Readonly<Record<string, Value>>;

type NamesIn<Sentence extends string> = Sentence extends `${string}{${infer Placeholder}}${infer Rest}`
  ? NameOf<Placeholder> | NamesIn<Rest>
  : never;
type NameOf<Placeholder extends string> = Placeholder extends `${infer Name}|${string}` ? Name : Placeholder;
type Needed<Names extends string> = [Names] extends [never] ? [] : [values: Readonly<Record<Names, Value>>];

/** The values that a reason's message requires; none if it has no placeholders. */
export type ValuesOf<R extends Reason> = Needed<NamesIn<(typeof REASONS)[R]>>;

/** The same for a field's fault, without the name of the field. */
export type FaultValuesOf<F extends FieldFault> = Needed<
  Exclude<NamesIn<(typeof REASONS)[`field.${F}`]>, 'field'>
>;

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
  return { reason, values, message: fill(REASONS[reason], values) };
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
  return { reason, values: all, message: fill(REASONS[reason], all) };
}

/** The message of a stored reason; undefined for a reason that this version does not know. */
export function sayStored(reason: string, values: Values = {}): Said | undefined {
  return isReason(reason) ? { reason, values, message: fill(REASONS[reason], values) } : undefined;
}

/** Whether this version knows the reason. */
function isReason(reason: string): reason is Reason {
  return Object.hasOwn(REASONS, reason);
}

/**
 * Replaces each `{name}` of a message with its value, and each `{name|one|other}` with a number and its noun.
 *
 * @param show how a value is formatted; unchanged if omitted
 */
export function fill(
  sentence: string,
  values: Values,
  show: (value: Value, name: string) => string = String,
): string {
  return sentence.replaceAll(
    /\{(\w+)(?:\|([^{|}]+)\|([^{|}]+))?\}/g,
    (whole, name: string, one?: string, other?: string) => {
      if (!Object.hasOwn(values, name)) return whole;
      const value = values[name] as Value;
      const noun = Number(value) === 1 ? one : other;
      return noun === undefined ? show(value, name) : `${show(value, name)} ${noun}`;
    },
  );
}
