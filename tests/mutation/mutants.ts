import { readFileSync } from 'node:fs';
import { codeEdits } from './code-edits.ts';
import { type Change, sqlEdits } from './sql-edits.ts';
import { type Node, parse, partsOf } from './syntax.ts';

/** A file with one change. */
export interface Mutant {
  id: number;
  line: number;
  /** Says which one it is as long as its line does not change: file, function, and the change. */
  name: string;
  /** What is changed, and by what it is replaced. */
  start: number;
  end: number;
  text: string;
  isStatement: boolean;
}

export interface MutatedFile {
  path: string;
  mutants: Mutant[];
  /** All mutants in one: `__mutant(id)` says which one is in effect. */
  source: string;
}

/** Those of the statements of SQL, or of the code. */
export type Kind = 'sql' | 'code';

/** The files with their mutants, which have the same ids at every call. */
export function mutateAll(paths: readonly string[], kinds: readonly Kind[]): MutatedFile[] {
  const files: MutatedFile[] = [];
  let nextId = 0;
  for (const path of paths) {
    const file = mutate(path, kinds, nextId);
    nextId += file.mutants.length;
    files.push(file);
  }
  return files;
}

function mutate(path: string, kinds: readonly Kind[], firstId: number): MutatedFile {
  const { source, program } = parse(path, readFileSync(path, 'utf8'));
  const mutants: Mutant[] = [];
  const add = (
    host: Node,
    within: string,
    change: { start: number; end: number; to: string; text: string },
  ) => {
    const [from, to] = [squeezed(source.slice(change.start, change.end)), squeezed(change.to) || 'nothing'];
    mutants.push({
      id: firstId + mutants.length,
      line: source.slice(0, change.start).split('\n').length,
      name: `${path} ${within}: ${from} → ${to}`,
      start: host.start,
      end: host.end,
      text: change.text,
      isStatement: host.type.endsWith('Statement'),
    });
  };
  const visit = (node: Node, within: string, parent: Node | undefined, isInChain: boolean): void => {
    if (/^(Import|Export(All|Named.*Specifier))/.test(node.type)) return;
    const inside = nameOf(node, parent) ?? within;
    // Parentheses around a part of `a?.b()` would end the chain.
    if (kinds.includes('code') && !isInChain)
      for (const { node: host, text } of codeEdits(node, source, parent))
        add(host, inside, { start: host.start, end: host.end, to: text, text });
    if (kinds.includes('sql') && node.type === 'TaggedTemplateExpression')
      for (const { changes, shown } of sqlEdits(flatten(node, source))) {
        const inFile = changes.map(({ start, end, text }) => ({
          start: node.start + start,
          end: node.start + end,
          text,
        }));
        const [first] = changes as [Change];
        const from = node.start + (shown ?? first).start;
        const to = node.start + (shown ?? first).end;
        add(node, inside, {
          start: from,
          end: to,
          to: changed(source, from, to, inFile),
          text: changed(source, node.start, node.end, inFile),
        });
      }
    const isLink = node.type === 'ChainExpression' || isInChain;
    for (const [field, part] of partsOf(node)) {
      if (field === 'key' && !node['computed']) continue;
      visit(part, inside, node, isLink && ['expression', 'callee', 'object'].includes(field));
    }
  };
  visit(program, 'module', undefined, false);
  return { path, mutants, source: instrument(source, mutants) };
}

function nameOf(node: Node, parent: Node | undefined): string | undefined {
  if (node.type === 'FunctionDeclaration') return node['id']?.name;
  if (!/^(Arrow)?Function/.test(node.type)) return undefined;
  if (parent?.type === 'VariableDeclarator') return parent['id'].name;
  return parent?.['key']?.name;
}

/** The text of the statement, from the tag on; other parts than its own text are NUL characters. */
function flatten(node: Node, source: string): string {
  let flat = '';
  for (const { start, end } of node['quasi'].quasis as Node[]) {
    flat = flat.padEnd(start - node.start, '\0') + source.slice(start, end);
  }
  const tag = source.slice(node.start, node['quasi'].start).replaceAll(/./gs, ' ');
  // The marks of a hole are part of it.
  return `${tag} ${flat.slice(tag.length + 1)}`;
}

/** A part of the text with the changes that lie in it. */
function changed(source: string, from: number, to: number, changes: Change[]): string {
  let text = '';
  let at = from;
  for (const change of changes) {
    if (change.start < from || change.end > to) continue;
    text += source.slice(at, change.start) + change.text;
    at = change.end;
  }
  return text + source.slice(at, to);
}

function squeezed(text: string): string {
  const short = text.trim().replaceAll(/\s+/g, ' ');
  return short.length <= 140 ? short : `${short.slice(0, 100)} … ${short.slice(-35)}`;
}

/** The source with all its mutants, of which one at most is in effect. */
function instrument(source: string, mutants: Mutant[]): string {
  const hosts = [...Map.groupBy(mutants, ({ start, end }) => `${start} ${end}`).values()].sort(
    ([one], [other]) => (one?.start ?? 0) - (other?.start ?? 0) || (other?.end ?? 0) - (one?.end ?? 0),
  );
  const render = (from: number, to: number): string => {
    let rendered = '';
    let at = from;
    for (let next = hosts[0]; next?.[0] && next[0].start < to; next = hosts[0]) {
      const [{ start, end, isStatement }] = next as [Mutant];
      hosts.shift();
      const original = render(start, end);
      rendered += source.slice(at, start) + (isStatement ? choosing(next, original) : choice(next, original));
      at = end;
    }
    return rendered + source.slice(at, to);
  };
  return render(0, source.length);
}

function choice(mutants: Mutant[], original: string): string {
  return `(${mutants.map(({ id, text }) => `__mutant(${id})?(${text}):`).join('')}(${original}))`;
}

/** A statement that is left out. */
function choosing(mutants: Mutant[], original: string): string {
  return `{if(${mutants.map(({ id }) => `!__mutant(${id})`).join('&&')}){${original}}}`;
}
