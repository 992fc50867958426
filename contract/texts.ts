import type english from '#locales/en.json';
import type { Language } from './languages.ts';

type Texts = typeof english;
type Value = string | number;

/** The values of a text, by the names of its placeholders. */
export type Values = Readonly<Record<string, Value>>;

/** The parts of `locales/*.json` that have sections of texts: one for each folder of `web/`, and those of the server. */
type Part = 'ui' | 'chat' | 'console' | 'operate' | 'pages' | 'mail' | 'notice' | 'bot';

/** A text by its part, section and name, such as `chat.search.found`. */
export type TextKey = {
  [P in Part]: { [S in Names<Texts[P]>]: `${P}.${S}.${Names<Texts[P][S]>}` }[Names<Texts[P]>];
}[Part];

type Names<T> = keyof T & string;
type TextOf<K extends string> = K extends `${infer P extends Part}.${infer S}.${infer N}`
  ? S extends keyof Texts[P]
    ? N extends keyof Texts[P][S]
      ? Texts[P][S][N]
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

/** Says a text; a missing value does not compile. */
export type Say = <K extends TextKey>(key: K, ...values: ValuesFor<TextOf<K>>) => string;

/** Says the texts of one language. */
export interface Translate extends Say {
  language: Language;
  /** A text whose key is not known before; undefined if there is none. */
  find: (key: string) => string | undefined;
}

/** Parts of a language's texts, as they stand in `locales/*.json`. */
export type Parts = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/**
 * @param parts those that are needed; a text of another one is shown as its key
 * @param showWords how a value that is a text is shown; unchanged if omitted
 */
export function translatorOf(
  parts: Parts,
  language: Language,
  showWords: (words: string) => string = String,
): Translate {
  const find = (key: string) => {
    const [, part = '', section = '', name = ''] = /^(\w+)\.(\w+)\.(.+)$/.exec(key) ?? [];
    return parts[part]?.[section]?.[name];
  };
  const show = (value: Value) =>
    typeof value === 'number' ? value.toLocaleString(language) : showWords(value);
  const say = (key: string, values: Values = {}) => fill(find(key) ?? key, values, language, show);
  return Object.assign(say, { find, language });
}

const CATEGORIES: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

interface Plurals {
  rules: Intl.PluralRules;
  categories: readonly Intl.LDMLPluralRule[];
}
/** Reading them from `Intl` takes longer than saying a text. */
const plurals = new Map<Language, Plurals>();

function pluralsOf(language: Language): Plurals {
  const known = plurals.get(language);
  if (known) return known;
  const rules = new Intl.PluralRules(language);
  const { pluralCategories: used } = rules.resolvedOptions();
  const made = { rules, categories: CATEGORIES.filter((category) => used.includes(category)) };
  plurals.set(language, made);
  return made;
}

/** The plural categories of a language in the order in which a text lists its forms: `one` and `other` in English. */
export function pluralCategories(language: Language): readonly Intl.LDMLPluralRule[] {
  return pluralsOf(language).categories;
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
    const { rules, categories } = pluralsOf(language);
    const form = forms.split('|')[categories.indexOf(rules.select(Number(value)))] ?? whole;
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
