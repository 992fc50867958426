import { basename, dirname } from 'node:path';
import { type Import, importsOf, packagesOf, type Source } from './sources.ts';

/** It demonstrates how a bot imports the SDK and reads its environment. */
export const SAMPLES = 'server/surfaces/docs/reference/languages/javascript.ts';

/** A feature may import the faces of those before it, and its own files. */
export const FEATURES = [
  'media',
  'accounts',
  'sign-in-providers',
  'applications',
  'bots',
  'contacts',
  'groups',
  'webhooks',
  'push',
  'messages',
  'polls',
  'reports',
  'simulator',
  'stories',
  'incoming-webhooks',
  'oauth',
  'management-bot',
  'operators',
];

/** The layers that each layer may import, besides its own files. */
const LAYERS: Record<string, readonly string[]> = {
  contract: ['locales'],
  platform: ['contract'],
  features: ['contract', 'locales', 'platform'],
  surfaces: ['contract', 'locales', 'platform', 'features'],
  workers: ['contract', 'platform', 'features'],
  main: ['contract', 'platform', 'features', 'surfaces', 'workers', 'sdk'],
  testing: ['contract', 'platform', 'features', 'surfaces', 'workers', 'main', 'sdk'],
  web: ['contract'],
  sdk: ['contract'],
};

const WRITE_WITH_DB =
  /\bdb(?:<[^`]*?>)?`\s*(?:insert into|update|delete from|with [^`]*?\b(?:insert into|(?<!for )update [a-z]+|delete from))\s/gi;
const ROUTE = /\b(?:app|scope)\s*\.\s*(?:get|post|put|patch|delete|route)\s*(?:<[^(]*>)?\(\s*['{]/;

function layerOf(path: string): string {
  const [top, second = ''] = path.split('/');
  if (top !== 'server') return top as string;
  return second in LAYERS ? second : 'main';
}

function featureOf(path: string): string | undefined {
  return /^server\/features\/([^/]+)\//.exec(path)?.[1];
}

function isFace(path: string): boolean {
  return /^server\/features\/[^/]+\/index\.ts$/.test(path);
}

const arrow = ({ from, to }: Import) => `${from} → ${to}`;

/** Layers import downwards, features those before them. */
export function wrongDirections(sources: Source[]): string[] {
  return sources
    .flatMap(importsOf)
    .filter(({ from, to }) => {
      const [layer, other] = [layerOf(from), layerOf(to)];
      if (layer !== other) return !(LAYERS[layer] ?? []).includes(other);
      const [feature, before] = [featureOf(from), featureOf(to)];
      if (feature === undefined || before === undefined || feature === before) return false;
      return FEATURES.indexOf(before) > FEATURES.indexOf(feature);
    })
    .map(arrow);
}

/** Outside a feature, only its `index.ts` may be imported, types included. */
export function importsPastFaces(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => !path.startsWith('server/testing/'))
    .flatMap(importsOf)
    .filter(({ from, to }) => {
      const feature = featureOf(to);
      return feature !== undefined && feature !== featureOf(from) && !isFace(to);
    })
    .map(arrow);
}

/** Sets of files, types included, that import each other in a circle. */
export function circles(sources: Source[]): string[] {
  return circlesOf(sources.flatMap(importsOf));
}

/**
 * Sets of folders that import each other in a circle, including those inside a feature. In the web, each folder counts on its
 * own; elsewhere a folder may share files with those inside it.
 */
export function folderCircles(sources: Source[]): string[] {
  const edges = sources.flatMap(importsOf).map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }));
  return circlesOf(
    edges.filter(({ from, to }) => from.startsWith('web/') || !(isInside(from, to) || isInside(to, from))),
  );
}

function isInside(folder: string, outer: string): boolean {
  return folder.startsWith(`${outer}/`);
}

function circlesOf(edges: readonly { from: string; to: string }[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  return stronglyConnected(next)
    .map((nodes) => nodes.sort().join(' ⇄ '))
    .sort();
}

/** Tarjan's algorithm; single nodes are omitted. */
function stronglyConnected(next: Map<string, Set<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.get(node) as number);
    stack.push(node);
    for (const other of next.get(node) ?? []) {
      if (!order.has(other)) visit(other);
      if (stack.includes(other))
        lowest.set(node, Math.min(lowest.get(node) as number, lowest.get(other) as number));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) found.push(component);
  };
  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return found;
}

/** A value from a file with schemas would ship TypeBox to every browser, one from a file with texts all of them. */
export function schemasInPages(sources: Source[]): string[] {
  const values = sources.flatMap(importsOf).filter(({ isType }) => !isType);
  const withSchemas = new Set(
    sources
      .filter(
        ({ path, text }) =>
          layerOf(path) === 'contract' && /^import (?!type).* from '(typebox|#locales\/.*)'/m.test(text),
      )
      .map(({ path }) => path),
  );
  // Items added to a set during iteration are visited, too.
  for (const path of withSchemas)
    for (const { from, to } of values) if (to === path && layerOf(from) === 'contract') withSchemas.add(from);
  return values.filter(({ from, to }) => layerOf(from) === 'web' && withSchemas.has(to)).map(arrow);
}

/** A write belongs to a transaction: its tag is a `Tx`, never the `Db` that reads may take. */
export function writesWithDb(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => /^server\/(?!testing\/)/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(WRITE_WITH_DB)].map(
        ({ index }) => `${path}:${text.slice(0, index).split('\n').length}`,
      ),
    );
}

/** Features declare their routes in the table of a surface. */
export function routesOutsideTables(sources: Source[]): string[] {
  return sources
    .filter(({ path, text }) => featureOf(path) !== undefined && ROUTE.test(text))
    .map(({ path }) => path);
}

/** The server runs on `dependencies` alone: an image without devDependencies is complete. */
export function packagesForDevelopment(sources: Source[], dependencies: readonly string[]): string[] {
  return sources
    .filter(({ path }) => /^(?:contract|server\/(?!testing\/))/.test(path) && path !== SAMPLES)
    .flatMap((source) =>
      packagesOf(source)
        .filter((name) => !dependencies.includes(name))
        .map((name) => `${source.path} → ${name}`),
    );
}

/** A cast through `unknown` has its reason beside it, in one of the lines above. */
export function castsWithoutReason(sources: Source[]): string[] {
  return linesThat(sources, (line, i, lines) => {
    if (!/\bas unknown as\b/.test(line) || /^\s*(?:\/\/|\/?\*)/.test(line)) return false;
    return !lines.slice(Math.max(0, i - 8), i).some((above) => /^\s*\/\/ /.test(above));
  });
}

/** A comment says what a thing is, not "What …". */
export function commentsThatBeginWithWhat(sources: Source[]): string[] {
  return linesThat(sources, (line) => /^\s*(?:\/\*\*|\/\/|\*) What\b/.test(line));
}

function linesThat(
  sources: Source[],
  breaks: (line: string, i: number, lines: readonly string[]) => boolean,
): string[] {
  return sources.flatMap(({ path, text }) => {
    const lines = text.split('\n');
    return lines.flatMap((line, i) => (breaks(line, i, lines) ? [`${path}:${i + 1}`] : []));
  });
}

/** Queries call no other feature: they belong to the feature whose tables they read. */
export function queriesThatCallOthers(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => /queries\.ts$/.test(basename(path)))
    .flatMap(importsOf)
    .filter(
      ({ from, to, isType }) => !isType && featureOf(to) !== undefined && featureOf(to) !== featureOf(from),
    )
    .map(arrow);
}

/** A cached API key depends on these tables (docs/decisions/0035)… */
const KEY_TABLES = /\b(?:update|insert into|delete from) (?:applications|api_keys|bots)\b/;
/** …but not on these columns: a statement that sets no others needs no new version. */
const INDEPENDENT_COLUMNS = new Set([
  'last_used_at',
  'previous_webhook_secret',
  'previous_webhook_secret_key_id',
  'previous_webhook_secret_until',
  'sealed_webhook_url',
  'sealed_webhook_url_key_id',
  'webhook_url',
]);
const TOP_LEVEL_FUNCTION = /^(?:export )?(?:async )?function (\w+)[\s\S]*?\n\}/gm;

/** Statements that change an application, its keys or its bot need a `LockedApplication`, at its new version. */
export function changesWithoutVersion(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => /^server\/(?!testing\/|migrations\/)/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(TOP_LEVEL_FUNCTION)]
        .filter(([source]) => !/\bLockedApplication\b/.test(source))
        .filter(([source]) => [...source.matchAll(/`([^`]*)`/g)].some(([, sql = '']) => changesKeys(sql)))
        .map(([, name]) => `${path}: ${name}`),
    );
}

function changesKeys(sql: string): boolean {
  if (!KEY_TABLES.test(sql)) return false;
  const [, assigned] = /\bset\s+([\s\S]*?)\s(?:from|where)\s/.exec(sql) ?? [];
  if (assigned === undefined || !/\bupdate\b/.test(sql)) return true;
  return [...assigned.matchAll(/(?:^|,)\s*(\w+) = /g)].some(
    ([, column = '']) => !INDEPENDENT_COLUMNS.has(column),
  );
}
