import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A source file, by its path relative to the repository. */
export interface Source {
  path: string;
  text: string;
}

export interface Import {
  from: string;
  to: string;
  /** Removed by type stripping. */
  isType: boolean;
}

const PRODUCT = '{contract,server,sdk,web}/**/*.{ts,tsx}';

/** Such as `#contract/*` and `./contract/*`. */
const ALIASES = Object.entries<string>(JSON.parse(readFileSync('package.json', 'utf8')).imports).map((pair) =>
  pair.map((path) => path.replace(/^\.\/|\*$/g, '')),
);

/** The product, without its tests and build output. */
export function readProduct(): Source[] {
  return globSync(PRODUCT)
    .filter((path) => !/\.test\.tsx?$|\.d\.ts$|\/(dist|node_modules)\//.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

/** The imports and re-exports of a file, without packages. */
export function importsOf({ path: from, text }: Source): Import[] {
  const found = text.matchAll(
    /(?:^|\n)(?:import|export)( type)?\b([^;'"]*?)from\s*'([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
  );
  return [...found].flatMap(([, type, names = '', named, loaded, bare]) => {
    const to = resolve(from, named ?? loaded ?? bare ?? '');
    const isType = type !== undefined || /^\s*\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(names);
    return to === undefined ? [] : { from, to, isType };
  });
}

/** The packages that a file imports at run time, without Node's own modules. */
export function packagesOf({ text }: Source): string[] {
  const found = text.matchAll(
    /(?:^|\n)(?:import|export)(?! type\b)\b[^;'"`]*?from '([^'.#][^']*)'|import\('([^'.#][^']*)'\)/g,
  );
  return [...found]
    .map(([, named, loaded]) => named ?? loaded ?? '')
    .filter((name) => !name.startsWith('node:'))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
}

function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
  const [alias, folder = ''] = ALIASES.find(([prefix = '']) => specifier.startsWith(prefix)) ?? [];
  return alias && specifier.replace(alias, folder);
}
