import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** A block of commands in a page. */
export interface CommandBlock {
  page: string;
  line: number;
  commands: string;
  /** Needs a real host (systemd, containers, a proxy), so that it is checked but not run. */
  isForHost: boolean;
}

/** Every block marked `sh` in the pages, in their order; those in lists are indented. */
export async function readCommandBlocks(
  pages: readonly string[] = globSync('docs/operate/*.md').sort(),
): Promise<CommandBlock[]> {
  const blocks: CommandBlock[] = [];
  for (const page of pages) {
    const text = await readFile(page, 'utf8');
    for (const match of text.matchAll(/^( *)```sh( host)?\n([\s\S]*?)^\1```$/gm)) {
      const [, indent = '', host, commands = ''] = match;
      const line = text.slice(0, match.index).split('\n').length;
      const plain = commands.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      blocks.push({ page, line, commands: plain, isForHost: host !== undefined });
    }
  }
  return blocks;
}
