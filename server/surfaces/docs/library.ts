import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderMarkdown } from './markdown.ts';
import type { DocPage, DocPart } from './page.ts';
import type { ApiDocument } from './reference/document.ts';
import { renderReference } from './reference/pages.ts';

/** Placeholder in a page for a file of the repository. */
const CODE = /<!-- code: (examples\/[\w-]+\.ts) -->/g;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PARTS = ['guide', 'operate'] as const;
/** Used in the files, so that they work as written; a server replaces it with its own address. */
const WRITTEN_ADDRESS = 'http://localhost:3000';

export interface Library {
  parts: DocPart[];
  byAddress: ReadonlyMap<string, DocPage>;
}

async function listFiles(): Promise<string[]> {
  const folders = await Promise.all(
    PARTS.map(async (part) => {
      const names = await readdir(`${ROOT}docs/${part}`);
      return names.filter((name) => name.endsWith('.md')).map((name) => `docs/${part}/${name}`);
    }),
  );
  return [...folders.flat(), 'CHANGELOG.md'];
}

/**
 * The pages of `docs/guide` and `docs/operate`, the changelog, and the API reference.
 *
 * @param api the OpenAPI document of this server, whose address is in every example
 */
export async function readLibrary(api: ApiDocument): Promise<Library> {
  const files = await listFiles();
  const [{ url }] = api.servers;
  const texts = new Map(
    await Promise.all(
      files.map(async (file) => {
        const text = await withCode(await readFile(ROOT + file, 'utf8'));
        return [file, text.replaceAll(WRITTEN_ADDRESS, url)] as const;
      }),
    ),
  );
  const addressOf = (file: string) => (texts.has(file) ? toAddress(file) : undefined);
  const pages = [...texts].map(([file, text]) => ({
    address: toAddress(file),
    ...renderMarkdown(text, file, addressOf),
  }));
  const { home, ...reference } = renderReference(api);
  const byAddress = new Map(
    [...pages, home, ...reference.pages].map((page) => [page.address, page] as const),
  );
  const [guide, operate] = PARTS.map((part) =>
    toPart(part, texts.get(`docs/${part}/README.md`) ?? '', byAddress),
  ) as [DocPart, DocPart];
  return { parts: [guide, reference, operate], byAddress };
}

async function withCode(text: string): Promise<string> {
  const files = new Map<string, string>();
  for (const [, file = ''] of text.matchAll(CODE)) files.set(file, await readFile(ROOT + file, 'utf8'));
  return text.replaceAll(CODE, (_mark, file) => `\`\`\`ts ${basename(file)}\n${files.get(file)}\`\`\``);
}

function toAddress(file: string): string {
  if (file === 'CHANGELOG.md') return '/docs/changelog';
  return `/${file.replace(/(README)?\.md$/, '')}`;
}

function toPart(part: string, contents: string, pages: ReadonlyMap<string, DocPage>): DocPart {
  const address = `/docs/${part}/`;
  const named = [...contents.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => `${address}${name}`);
  const found = [...new Set(named)].flatMap((page) => pages.get(page) ?? []);
  return { title: pages.get(address)?.title ?? part, address, pages: found };
}
