import type english from '#locales/en.json';
import type { Language } from './languages.ts';

type Texts = typeof english;
type Value = string | number;

/** The values of a text, by the names of its placeholders. */
export type Values = Readonly<Record<string, Value>>;

/** The parts of `locales/*.json` with sections of texts, one for each folder of `web/`. */
export type Room = 'ui' | 'chat' | 'console' | 'operate';

/** A text of the pages: its part, section and name, such as `chat.search.found`. */
export type TextKey = {
  [R in Room]: { [S in Names<Texts[R]>]: `${R}.${S}.${Names<Texts[R][S]>}` }[Names<Texts[R]>];
}[Room];

type Names<T> = keyof T & string;
type TextOf<K extends string> = K extends `${infer R extends Room}.${infer S}.${infer N}`
  ? S extends keyof Texts[R]
    ? N extends keyof Texts[R][S]
      ? Texts[R][S][N]
      : never
    : never
  : never;

type Placeholders<Text> = Text extends `${string}{${infer Placeholder}}${infer Rest}`
  ? NameOf<Placeholder> | Placeholders<Rest>
  : never;
type NameOf<Placeholder extends string> = Placeholder extends `${infer Name}|${string}` ? Name : Placeholder;

/** The values that a text requires: nothing, or one value for each placeholder. */
export type ValuesFor<Text, Given extends string = never> = [Exclude<Placeholders<Text>, Given>] extends [
  never,
]
  ? []
  : [values: Readonly<Record<Exclude<Placeholders<Text>, Given>, Value>>];

/** Says a text of the pages; a missing value does not compile. */
export type Translate = <K extends TextKey>(key: K, ...values: ValuesFor<TextOf<K>>) => string;

const CATEGORIES: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other'];
const rules = new Map<Language, Intl.PluralRules>();

function rulesOf(language: Language): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, known);
  return known;
}

/** The plural categories of a language in the order in which a text lists its forms: `one` and `other` in English. */
export function pluralCategories(language: Language): Intl.LDMLPluralRule[] {
  const { pluralCategories: used } = rulesOf(language).resolvedOptions();
  return CATEGORIES.filter((category) => used.includes(category));
}

/**
 * Replaces each `{name}` of a text with its value, and each `{count|# member|# members}` with the form that the language
 * has for the number, which stands in it as `#`.
 *
 * @param values one for each placeholder; a placeholder without a value stays
 * @param show how a value is formatted; unchanged if omitted
 */
export function fill(
  text: string,
  values: Values,
  language: Language,
  show: (value: Value, name: string) => string = String,
): string {
  return text.replaceAll(/\{(\w+)(?:\|([^{}]+))?\}/g, (whole, name: string, forms?: string) => {
    if (!Object.hasOwn(values, name)) return whole;
    const value = values[name] as Value;
    if (forms === undefined) return show(value, name);
    const category = rulesOf(language).select(Number(value));
    const form = forms.split('|')[pluralCategories(language).indexOf(category)] ?? whole;
    return form.replaceAll('#', () => show(value, name));
  });
}

/** A language's texts of what the server says in English. */
export interface OtherLanguage {
  language: Language;
  errors: Readonly<Record<string, string>>;
  /** Values that are words, by the name of the value, such as `state`; `field` has the fields that a person fills in. */
  words: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * The server's message in another language; undefined for a reason that has no text there.
 *
 * @param values as received from the server
 */
export function translate(
  { language, errors, words }: OtherLanguage,
  reason: string,
  values: Values = {},
): string | undefined {
  const text = Object.hasOwn(errors, reason) ? errors[reason] : undefined;
  const known = (value: string, name: string) => {
    const of = words[name] ?? {};
    return Object.hasOwn(of, value) ? of[value] : undefined;
  };
  const nameOf = (part: string) =>
    /^\d+$/.test(part) ? String(Number(part) + 1) : (known(part, 'field') ?? part);
  return (
    text &&
    fill(text, values, language, (value, name) =>
      name === 'field'
        ? String(value).split('.').map(nameOf).join(' ')
        : (known(String(value), name) ?? String(value)),
    )
  );
}
