import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ESTree, parseSync, Visitor } from 'vite';

/** The attributes with texts that people see or hear. */
const SHOWN =
  /^(aria-(label|description|roledescription|valuetext|placeholder)|alt|checkedIcon|description|error|label|legend|nothingFoundMessage|placeholder|subtitle|suffix|prefix|title|hint|confirm|question)$/;

/** Sample input, the same in every language. */
const SAMPLE = /^(https:|t=)\S+$/;

/** A template that contains only attributes. */
const ATTRIBUTES = /^ [a-z-]+(=|$)/;

/** Texts hard-coded in a component instead of `locales/`: `file:line text`. */
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

test('every text of the pages is in locales/', () => {
  const files = globSync(['web/{chat,console,ui}/**/*.tsx', 'server/surfaces/pages/*.ts']);
  assert.ok(files.length > 150, 'the pages are found');
  assert.deepEqual(files.filter((file) => !file.endsWith('.test.ts')).flatMap(findHardCoded), []);
});
