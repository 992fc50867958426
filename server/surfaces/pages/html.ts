/** Text that is already HTML. Create it with {@link html}, so that nothing gets into a page unescaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | false | undefined | readonly Value[];

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Builds HTML; every value is escaped, for element content and for attributes in double quotes. Lists are joined; `false`
 * and `undefined` render as nothing. Never put a value into a script, a style, or an attribute without quotes.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.reduce((text, part, i) => text + render(values[i - 1]) + part));
}

function render(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

/** Stands in a text for HTML that goes into it; no language has this character. */
export const SLOT = '\u{FFFC}';

/** A text with HTML in its {@link SLOT}. */
export function around(text: string, value: Html | string): Html {
  const [before = '', after = ''] = text.split(SLOT);
  return html`${before}${value}${after}`;
}
