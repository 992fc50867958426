import type { Node } from './syntax.ts';

/** A change of an expression or a statement. */
export interface CodeEdit {
  node: Node;
  text: string;
}

const BOUNDARIES: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const OPPOSITES: Record<string, string> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
const ARITHMETIC: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' };
const METHODS = new Map(Object.entries({ some: 'every', every: 'some', min: 'max', max: 'min' }));
/** Methods whose result is of the kind of what they are called on. */
const FILTERS = new Set(['filter', 'trim', 'toLowerCase', 'sort', 'toSorted', 'slice']);

/** The changes of one node, not of those within it. */
export function codeEdits(node: Node, source: string, parent: Node | undefined): CodeEdit[] {
  const textOf = (part: Node) => source.slice(part.start, part.end);
  const edit = (text: string, changed = node): CodeEdit => ({ node: changed, text });
  /** The node with one of its parts replaced. */
  const replacing = (part: { start: number; end: number }, text: string) =>
    source.slice(node.start, part.start) + text + source.slice(part.end, node.end);
  /** The operator of a binary node. */
  const withOperator = (operator: string) => {
    const between = { start: node['left'].end, end: node['right'].start };
    const text = source.slice(between.start, between.end).replace(node['operator'], operator);
    return replacing(between, text);
  };

  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return [edit('true', node['test']), edit('false', node['test'])];
    case 'WhileStatement':
      return [edit('false', node['test'])];
    case 'LogicalExpression':
      if (node['operator'] === '??') return [edit(textOf(node['left']))];
      return [edit(textOf(node['left'])), edit(textOf(node['right']))];
    case 'BinaryExpression': {
      const { operator } = node as { operator?: string } & Node;
      const other = BOUNDARIES[operator ?? ''] ?? OPPOSITES[operator ?? ''];
      if (other) return [edit(withOperator(other))];
      const isText = [node['left'], node['right']].some(
        (side: Node) => side.type === 'TemplateLiteral' || typeof side['value'] === 'string',
      );
      const calculated = isText ? undefined : ARITHMETIC[operator ?? ''];
      return calculated ? [edit(withOperator(calculated))] : [];
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? [edit(textOf(node['argument']))] : [];
    case 'UpdateExpression':
      return [edit(textOf(node).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++')))];
    case 'AssignmentExpression':
      if (node['operator'] !== '+=' && node['operator'] !== '-=') return [];
      return [edit(withOperator(node['operator'] === '+=' ? '-=' : '+='))];
    case 'Literal':
      if (typeof node['value'] === 'boolean') return [edit(String(!node['value']))];
      if (typeof node['value'] === 'number') return [edit(String(node['value'] + 1))];
      return node['regex'] ? regexTexts(textOf(node)).map((text) => edit(text)) : [];
    case 'CallExpression': {
      const { callee } = node as { callee?: Node } & Node;
      if (callee?.type !== 'MemberExpression' || callee['computed']) return [];
      const { name } = callee['property'];
      const other = METHODS.get(name);
      if (other) return [edit(replacing(callee['property'], other))];
      return FILTERS.has(name) ? [edit(textOf(callee['object']))] : [];
    }
    case 'ExpressionStatement': {
      const called =
        node['expression'].type === 'AwaitExpression' ? node['expression'].argument : node['expression'];
      const isCall = called.type === 'CallExpression' && called.callee.type !== 'Super';
      return isCall ? [edit('')] : [];
    }
    case 'ThrowStatement':
      // `default: throw x` is what the compiler shows to be unreachable.
      return parent?.type === 'SwitchCase' && !parent['test'] && node['argument'].type === 'Identifier'
        ? []
        : [edit('')];
    case 'ReturnStatement':
      return node['argument'] && textOf(node['argument']) !== 'undefined'
        ? [edit('undefined', node['argument'])]
        : [];
    case 'ArrowFunctionExpression':
      return node['expression'] &&
        node['body'].type !== 'AssignmentExpression' &&
        textOf(node['body']) !== 'undefined'
        ? [edit('undefined', node['body'])]
        : [];
    default:
      return [];
  }
}

/** Without an anchor, or with another bound. */
function regexTexts(regex: string): string[] {
  const changes: [RegExp, (...found: string[]) => string][] = [
    [/^\/\^/, () => '/'],
    [/\$(?=\/\w*$)/, () => ''],
    [/\{(\d+),(\d+)\}/, (_, least, most) => `{${least},${Number(most) + 1}}`],
    [/\{(\d+)(,?\d*)\}/, (_, least, rest) => `{${Number(least) + 1}${rest}}`],
    [/\[\^/, () => '['],
    [/\+(?!\/)/, () => '*'],
  ];
  return changes
    .map(([part, by]) => regex.replace(part, by))
    .filter((text) => text !== regex && text !== '//');
}
