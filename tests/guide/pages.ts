import { readFile } from 'node:fs/promises';

/** A file of which a page says "save this as". */
export interface NamedFile {
  page: string;
  name: string;
  text: string;
}

/** The pages of the guide in the order in which a reader goes through them. */
export async function readGuidePages(): Promise<string[]> {
  const contents = await readFile('docs/guide/README.md', 'utf8');
  return [...contents.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => `docs/guide/${name}`);
}

/** Every block whose fence gives it a name: ` ```js verify.mjs `. */
export async function readNamedFiles(pages: readonly string[]): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for (const page of pages) {
    for (const [, name = '', text = ''] of (await readFile(page, 'utf8')).matchAll(
      /^```\w+ (\w[\w.-]*\.\w+)\n([\s\S]*?)^```$/gm,
    ))
      files.push({ page, name, text });
  }
  return files;
}
