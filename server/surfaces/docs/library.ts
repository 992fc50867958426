import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type RenderedPage, renderMarkdown } from './markdown.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PARTS = ['guide', 'operate'] as const;

export interface DocPage extends RenderedPage {
  /** Where it is served. */
  address: string;
}

export interface DocPart {
  title: string;
  address: string;
  /** In the order in which its own page names them. */
  pages: DocPage[];
}

export interface Library {
  parts: DocPart[];
  byAddress: ReadonlyMap<string, DocPage>;
}

let reading: Promise<Library> | undefined;

/** The pages of `docs/guide` and `docs/operate` and the changelog, read and rendered once somebody wants to see one. */
export function readLibrary(): Promise<Library> {
  reading ??= read();
  return reading;
}

/** Where every page is served. */
export async function listAddresses(): Promise<string[]> {
  return (await listFiles()).map(toAddress);
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

async function read(): Promise<Library> {
  const files = await listFiles();
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(ROOT + file, 'utf8')] as const)),
  );
  const addressOf = (file: string) => (texts.has(file) ? toAddress(file) : undefined);
  const byAddress = new Map(
    [...texts].map(([file, text]) => {
      const address = toAddress(file);
      return [address, { address, ...renderMarkdown(text, file, addressOf) }] as const;
    }),
  );
  const parts = PARTS.map((part) => toPart(part, texts.get(`docs/${part}/README.md`) ?? '', byAddress));
  return { parts, byAddress };
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
