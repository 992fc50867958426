import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Block, type Inline, parseFormatted, plainText } from './formatting.ts';

/** Blocks and inlines in short form: `strong(text)`, one line per block. */
function shown(text: string): string {
  return parseFormatted(text).map(blockShown).join('\n');
}

function blockShown(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.children.map(inlineShown).join('');
    case 'code':
      return `code ${block.language}(${block.text})`;
    case 'quote':
      return `quote(${block.blocks.map(blockShown).join('|')})`;
    default:
      return `list(${block.items
        .map(({ number = '', blocks }) => `${number}:${blocks.map(blockShown).join('|')}`)
        .join(', ')})`;
  }
}

function inlineShown(inline: Inline): string {
  if (!('children' in inline)) return inline.kind === 'text' ? inline.text : `code(${inline.text})`;
  const inner = inline.children.map(inlineShown).join('');
  return inline.kind === 'link' ? `link ${inline.href}(${inner})` : `${inline.kind}(${inner})`;
}

test('marks of lines: bold, italic, struck, code and links', () => {
  const cases: Record<string, string> = {
    'a **b** *c* _d_ ~~e~~ `f*`': 'a strong(b) em(c) em(d) del(e) code(f*)',
    '**bold *and* italic**': 'strong(bold em(and) italic)',
    '**two\nlines**': 'strong(two\nlines)',
    '这是**重要**的': '这是strong(重要)的',
    '[docs](https://x.org/a_b) [mail](mailto:a@x.org)':
      'link https://x.org/a_b(docs) link mailto:a@x.org(mail)',
    '\\*no\\* \\`no\\` \\~~no~~': '*no* `no` ~~no~~',
    '**https://x.org/_a_**': 'strong(https://x.org/_a_)',
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(shown(text), expected, text);
});

test('blocks: code, quotes and lists, with the numbers that were written', () => {
  const cases: Record<string, string> = {
    'see\n```js\nlet x;\n\n  y **z**\n```\nso': 'see\ncode js(let x;\n\n  y **z**)\nso',
    '```\nopen **end': 'code (open **end)',
    '> a **b**\n> c\nmine': 'quote(a strong(b)\nc)\nmine',
    '- a\n- **b**\n  - c\n\nend': 'list(:a, :strong(b)|list(:c))\nend',
    '3. March\n1. May': 'list(3:March, 1:May)',
    '- [ ] do\n- [x] done': 'list(:☐ do, :☑ done)',
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(shown(text), expected, text);
});

test('ordinary texts stay as they are', () => {
  const texts = [
    '2*3*4, 2 * 3 * 4, a*b*c and snake_case_name and __init__.py',
    '~5 to ~6, ~5-~6',
    '¯\\_(ツ)_/¯ in C:\\temp\\new',
    '7. November',
    '- what?',
    '+ 1\n+ 2',
    '# five\n---\n| a | b |',
    '    four blanks\n\n\n  and lines  \n x',
    '<b>no</b> <https://x.org> &amp; <script>alert(1)</script>',
    'https://x.org/_a_/*b* www.x.org/_c_',
    '![picture](https://x.org/p.png)',
    '[x](javascript:alert(1)) [x](data:text/html,x) [x](https://a:b@x.org) [x](/etc) [x](x.org)',
    '[x]: https://x.org\n[x]',
    '** _ ` ~~ ``` > - 1. *',
    '-',
    '```',
  ];
  for (const text of texts) {
    assert.equal(shown(text), text);
    assert.equal(plainText(text), text);
  }
});

test('the words alone, for lists, quotes and notifications', () => {
  assert.equal(plainText('**Hi** _there_, see [docs](https://x.org) and `x`'), 'Hi there, see docs and x');
  assert.equal(plainText('- a\n- b\n> c\n```\nd\n```'), '• a\n• b\nc\nd');
});

const PIECES = [
  ...'* ** _ __ ~~ ` ``` ```js > [ ]( ) ![ \\ a é 重 🎉 <b> </b> <!-- &lt; # --- | " \''.split(' '),
  ...'javascript: JaVaScRiPt:alert(1) data:text/html,x mailto:a@x.org https://x.org https://x.org/_a_'.split(
    ' ',
  ),
  ...['> ', '- ', '1. ', '2) ', '[ ] ', '[x]: ', ' ', '    ', '\t', '\n', '\n\n', '\r\n', '\u0000', '\u202e'],
];

test('whatever is sent: it is read, bounded, leads nowhere but to the web and mail, and loses no word', () => {
  const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(''));
  const check = (text: string) => {
    const blocks = parseFormatted(text);
    assert.ok(depthOf(blocks) <= 20);
    for (const href of hrefsIn(blocks)) assert.match(href, /^(https?:\/\/|mailto:)[^\s]+$/i);
    const words = (some: string) => some.match(/[é重🎉]/gu)?.join('') ?? '';
    assert.equal(words(plainText(text)), words(text));
  };
  fc.assert(fc.property(hostile, check), { numRuns: 3000 });
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 4096 }), check), { numRuns: 200 });
  const deep = fc
    .tuple(fc.constantFrom(...PIECES), fc.integer({ min: 1, max: 4096 }))
    .map(([piece, times]) => piece.repeat(times).slice(0, 4096));
  fc.assert(fc.property(deep, check), { numRuns: 300 });
});

function depthOf(nodes: readonly (Block | Inline)[]): number {
  return 1 + Math.max(0, ...nodes.map((node) => depthOf(insideOf(node))));
}

function hrefsIn(nodes: readonly (Block | Inline)[]): string[] {
  return nodes.flatMap((node) => [...(node.kind === 'link' ? [node.href] : []), ...hrefsIn(insideOf(node))]);
}

function insideOf(node: Block | Inline): (Block | Inline)[] {
  if ('children' in node) return node.children;
  if ('blocks' in node) return node.blocks;
  return 'items' in node ? node.items.flatMap(({ blocks }) => blocks) : [];
}
