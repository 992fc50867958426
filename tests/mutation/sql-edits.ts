/** A part of a text, and what it is replaced by. */
export interface Change {
  start: number;
  end: number;
  text: string;
}

export interface SqlEdit {
  /** From the start to the end. */
  changes: Change[];
  /** What a report shows; the same as is changed unless given. */
  shown?: { start: number; end: number };
}

/** Keywords that end a condition, or a part of one. */
const ENDS = new Set(
  `select from where on having using set values returning union except intersect group order limit offset for window insert
  update delete join left right full inner cross lateral as with case when then else end and or do`.split(
    /\s+/,
  ),
);
const STARTS = new Set(['where', 'on', 'having', 'when']);
/** After these, a hole is a value; after anything else it is a fragment that follows. */
const BEFORE_VALUE =
  /^([-+*/<>=(,[|~]|::|<=|>=|<>|!=|<@|@>|->>?|not|is|in|like|any|all|from|distinct|between)$/i;
const SWAPS: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '<>': '=', '!=': '=' };

interface Token {
  text: string;
  start: number;
  end: number;
}

interface Term {
  first: Token;
  last: Token;
  /** The keywords around it, if they are `and` or `or`. */
  links: string[];
}

/**
 * Changes of the conditions, locks and conflict clauses of a statement: each drops one, or swaps a comparison. In the text, a
 * character NUL stands for every character of a hole.
 */
export function sqlEdits(text: string): SqlEdit[] {
  const tokens: Token[] = Array.from(
    text.matchAll(/\0+|'(?:[^']|'')*'|[a-z_][\w.]*|::|->>?|<=|>=|<>|!=|<@|@>|\d+|\S/gi),
    ({ 0: found, index }) => ({ text: found.toLowerCase(), start: index, end: index + found.length }),
  );
  return [...clauseEdits(text), ...tokens.flatMap(descending), ...conditionEdits(text, tokens)];
}

function descending({ text, start, end }: Token): SqlEdit[] {
  return text === 'desc' ? [{ changes: [{ start, end, text: 'asc' }] }] : [];
}

/** Locks, and `on conflict do nothing`. */
const CLAUSES = [
  /\bfor (no key update|key share|update|share)\b( of \w+)?( skip locked)?/gi,
  / skip locked\b/gi,
  /\bon conflict\s*(\([^)]*\)\s*)?(where\s.+?)?do nothing/gis,
];

function clauseEdits(text: string): SqlEdit[] {
  return CLAUSES.flatMap((clause) =>
    Array.from(text.matchAll(clause), ({ 0: found, index }) => ({
      changes: [{ start: index, end: index + found.length, text: '' }],
    })),
  );
}

/** A bucket follows from the id beside it, and only names the shard (storage design). */
const BUCKET = /^(\w+\.)?(app_)?bucket = /;

function conditionEdits(text: string, tokens: Token[]): SqlEdit[] {
  return conditions(tokens).flatMap((terms) => {
    const textOf = ({ first, last }: Term) => text.slice(first.start, last.end);
    const dropping = ({ first, last, links }: Term): Change => {
      const isOr = links.includes('or') && !links.includes('and');
      return { start: first.start, end: last.end, text: isOr ? 'false' : 'true' };
    };
    const buckets = terms.filter((term) => BUCKET.test(textOf(term)));
    return terms.flatMap((term): SqlEdit[] => {
      if (/^(\0+|true|false)$/.test(textOf(term)) || buckets.includes(term)) return [];
      const shown = { start: term.first.start, end: term.last.end };
      // With it, a missing id would show only where two ids have one bucket.
      const dropped = [term, ...buckets].map(dropping).sort((one, other) => one.start - other.start);
      const own = tokens.slice(tokens.indexOf(term.first), tokens.indexOf(term.last) + 1);
      return [
        { changes: dropped, shown },
        ...comparisonChanges(own).map((change) => ({ changes: [change], shown })),
      ];
    });
  });
}

/** Of the term itself; those in its parentheses are terms of their own. */
function comparisonChanges(term: Token[]): Change[] {
  let depth = 0;
  return term.flatMap(({ text, start, end }, i) => {
    if (text === '(') depth++;
    if (text === ')') depth--;
    if (depth > 0) return [];
    const swapped = SWAPS[text];
    if (swapped) return [{ start, end, text: swapped }];
    const [next, afterNext] = term.slice(i + 1, i + 3);
    if (text === 'is' && next?.text === 'null') return [{ start, end, text: 'is not' }];
    if (text === 'is' && next?.text === 'not' && afterNext?.text === 'null')
      return [{ start, end: next.end, text: 'is' }];
    return [];
  });
}

/** The conditions of a statement, each as its terms. */
function conditions(tokens: Token[]): Term[][] {
  const found: Term[][] = [];
  let at = 0;
  const readLevel = (opening?: string): void => {
    let terms: Term[] = [];
    let isCondition = false;
    let first: Token | undefined;
    let last: Token | undefined;
    let links: string[] = [];
    let isBetween = false;
    const endTerm = (link?: string) => {
      if (link) isCondition = true;
      if (first && last) terms.push({ first, last, links: link ? [...links, link] : links });
      links = link ? [link] : [];
      first = undefined;
      last = undefined;
    };
    const endCondition = () => {
      endTerm();
      if (isCondition && terms.length > 0) found.push(terms);
      terms = [];
      links = [];
      isCondition = false;
    };
    for (; at < tokens.length; ) {
      const token = tokens[at++] as Token;
      const { text } = token;
      const closes = opening === 'case' ? text === 'end' : text === ')' || text === ']';
      if (closes) break;
      if (text === '(' || text === '[' || text === 'case') {
        first ??= token;
        readLevel(text);
        last = tokens[at - 1];
      } else if (text === 'and' && isBetween) {
        isBetween = false;
        last = token;
      } else if (text === 'and' || text === 'or') {
        endTerm(text);
      } else if (text === ',' || (ENDS.has(text) && !(text === 'from' && last?.text === 'distinct'))) {
        endCondition();
        isCondition = STARTS.has(text) && tokens[at]?.text !== 'conflict';
      } else if (text.startsWith('\0') && last && !BEFORE_VALUE.test(last.text)) {
        endCondition();
      } else {
        isBetween ||= text === 'between';
        first ??= token;
        last = token;
      }
    }
    endCondition();
  };
  while (at < tokens.length) readLevel();
  return found;
}
