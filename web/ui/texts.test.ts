import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { type ESTree, parseSync, Visitor } from 'vite';
import { LANGUAGE_CODES } from '#contract/languages.ts';

/** The attributes with texts that people see or hear. */
const SHOWN =
  /^(aria-(label|description|roledescription|valuetext|placeholder)|alt|checkedIcon|description|error|label|legend|nothingFoundMessage|placeholder|subtitle|suffix|prefix|title|hint|confirm|question)$/;

/** Sample input, the same in every language. */
const SAMPLE = /^(https:|t=)\S+$/;

/** A template that contains only attributes. */
const ATTRIBUTES = /^ [a-z-]+(=|$)/;

/** Texts hard-coded in a component instead of a catalogue: `file:line text`. */
function findHardCoded(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, text);
  assert.deepEqual(errors, [], file);
  const found: string[] = [];
  const note = (start: number, shown: string) => {
    const line = text.slice(0, start).split('\n').length;
    if (/\p{L}{2}/u.test(shown) && !SAMPLE.test(shown)) found.push(`${file}:${line} ${shown.trim()}`);
  };
  const look = (node: ESTree.Node | null | undefined): void => {
    switch (node?.type) {
      case 'Literal':
        if (typeof node.value === 'string') note(node.start, node.value);
        return;
      case 'TemplateLiteral':
        for (const { value } of node.quasis) note(node.start, value.raw);
        return;
      case 'ConditionalExpression':
        look(node.consequent);
        look(node.alternate);
        return;
      case 'LogicalExpression':
        look(node.right);
        return;
      case 'JSXExpressionContainer':
        look(node.expression);
    }
  };
  const lookInside = ({ children }: { children: ESTree.JSXChild[] }) => {
    for (const child of children) {
      if (child.type === 'JSXText') note(child.start, child.value);
      else look(child);
    }
  };
  new Visitor({
    JSXElement: lookInside,
    JSXFragment: lookInside,
    JSXAttribute: ({ name, value }) => {
      if (SHOWN.test(String(name.name))) look(value);
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && ['tell', 'Error', 'Notification'].includes(callee.name))
        look(given[0]);
    },
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (tag.type !== 'Identifier' || tag.name !== 'html') return;
      const markup = quasi.quasis.map(({ value }) => value.raw).join('$');
      if (ATTRIBUTES.test(markup)) return;
      for (const shown of markup.replaceAll(/<[^>]*>/g, '\n').split('\n')) note(quasi.start, shown);
      for (const [, label = ''] of markup.matchAll(/(?:aria-label|title|alt|placeholder)="([^"]*)"/g))
        note(quasi.start, label);
    },
  }).visit(program);
  return found;
}

test('every text of the pages is in a catalogue', () => {
  const files = globSync(['web/{chat,console,ui}/**/*.tsx', 'server/surfaces/pages/*.ts']);
  assert.ok(files.length > 150, 'the pages are found');
  assert.deepEqual(files.filter((file) => !file.endsWith('.test.ts')).flatMap(findHardCoded), []);
});

test('the chat speaks of no setting of the server, which only operators know and can change', () => {
  const catalogues = globSync('web/chat/**/*texts.ts');
  assert.ok(catalogues.length > 20, 'the catalogues are found');
  const known = readFileSync('server/platform/config/settings.ts', 'utf8');
  const settings = [...known.matchAll(/^ {2}(\w+_\w+): /gm)].map(([, name = '']) => name);
  assert.ok(settings.includes('PUBLIC_URL'), 'the settings are found');
  const found = catalogues.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return settings.filter((name) => text.includes(name)).map((name) => `${file} ${name}`);
  });
  assert.deepEqual(found, []);
});

test('the service worker has the texts of notifications in each language', () => {
  const worker = readFileSync('web/worker/service-worker.js', 'utf8');
  const [, words = ''] = /^const WORDS = (\{[\s\S]*?^\});/m.exec(worker) ?? [];
  const catalogues: Record<string, Record<string, string>> = runInNewContext(`(${words})`);
  assert.deepEqual(Object.keys(catalogues).sort(), LANGUAGE_CODES.toSorted());
  for (const [language, texts] of Object.entries(catalogues)) {
    assert.deepEqual(Object.keys(texts), Object.keys(catalogues['en'] ?? {}), language);
    assert.ok(Object.values(texts).every((text) => text.trim() !== ''));
  }
});
