import { readFile } from 'node:fs/promises';

/** A file that a page tells the reader to save. */
export interface NamedFile {
  page: string;
  name: string;
  text: string;
}

/** The pages of the guide in reading order. */
export async function readGuidePages(): Promise<string[]> {
  const contents = await readFile('docs/guide/README.md', 'utf8');
  return [...contents.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => `docs/guide/${name}`);
}

/** Every block with a file name after its fence: ` ```js verify.mjs `. */
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
