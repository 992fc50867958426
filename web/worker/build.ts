import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { CHAT_PATHS } from '#contract/chat/paths.ts';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/** Builds the chat's service worker with the list of files to cache, exactly those of the chat. */
export function serviceWorker({
  source,
  files,
  locales,
  page,
}: {
  source: string;
  files: string;
  locales: string;
  page: string;
}): Plugin {
  return {
    name: 'service-worker',
    async writeBundle({ dir }, bundle) {
      const names = [...filesOf(bundle, page)].sort();
      const plain = (await readdir(files)).filter((name) => !name.startsWith('.'));
      const paths = [...names, ...plain].map((name) => `/${name}`);
      const contents = await Promise.all([
        readFile(`${dir}/${page}`),
        ...plain.map((name) => readFile(`${files}/${name}`)),
      ]);
      const version = createHash('sha256').update(paths.join());
      for (const content of contents) version.update(content);
      const worker = (await readFile(source, 'utf8'))
        .replace('__FILES__', JSON.stringify(paths))
        .replace('__PAGES__', JSON.stringify(`^(${CHAT_PATHS.join('|').replaceAll('*', '.*')})$`))
        .replace('__WORDS__', JSON.stringify(await readWords(locales)))
        .replace('__VERSION__', JSON.stringify(version.digest('hex').slice(0, 16)));
      await writeFile(`${dir}/service-worker.js`, worker);
    },
  };
}

/** The texts of notifications, by language. */
async function readWords(locales: string): Promise<Record<string, unknown>> {
  const names = (await readdir(locales)).filter((name) => name.endsWith('.json'));
  const words = names.map(async (name) => [
    basename(name, '.json'),
    JSON.parse(await readFile(`${locales}/${name}`, 'utf8')).worker.notification,
  ]);
  return Object.fromEntries(await Promise.all(words));
}

/** The scripts and styles that a page may load: all static and dynamic imports. */
function filesOf(bundle: Bundle, page: string): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    const chunk = bundle[name];
    if (found.has(name) || chunk?.type !== 'chunk') return;
    found.add(name);
    const { importedCss, importedAssets } = metadataOf(chunk);
    for (const file of [...importedCss, ...importedAssets]) found.add(file);
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next);
  };
  for (const [name, chunk] of Object.entries(bundle)) {
    if (chunk.type === 'chunk' && chunk.isEntry && chunk.facadeModuleId?.endsWith(page)) visit(name);
  }
  return found;
}

function metadataOf(chunk: Chunk): { importedCss: Set<string>; importedAssets: Set<string> } {
  return chunk.viteMetadata ?? { importedCss: new Set(), importedAssets: new Set() };
}
