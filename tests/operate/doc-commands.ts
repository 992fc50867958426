import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** A block of commands in a page. */
export interface CommandBlock {
  page: string;
  line: number;
  commands: string;
  /** Changes a machine as root: `npm run check:host` runs it. */
  isForHost: boolean;
  /** Why no test runs it, from the preceding comment. */
  notRun?: string;
}

/** Every `sh` block of the pages, in order; those in lists are indented. */
export async function readCommandBlocks(
  pages: readonly string[] = globSync('docs/operate/*.md').sort(),
): Promise<CommandBlock[]> {
  const blocks: CommandBlock[] = [];
  for (const page of pages) {
    const text = await readFile(page, 'utf8');
    for (const match of text.matchAll(
      /^( *)(?:<!-- not run: (.+) -->\n)?```sh( host)?\n([\s\S]*?)^\1```$/gm,
    )) {
      const [, indent = '', notRun, host, commands = ''] = match;
      const line = text.slice(0, match.index).split('\n').length;
      const plain = commands.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      const isForHost = host !== undefined;
      blocks.push({ page, line, commands: plain, isForHost, ...(notRun && { notRun }) });
    }
  }
  return blocks;
}

/** Those of these blocks that need only a scratch server, as a script that reports its position. */
export function toScript(blocks: readonly CommandBlock[]): string {
  const chosen = blocks.filter(({ isForHost, notRun }) => !isForHost && !notRun);
  const script = chosen.map(({ page, line, commands }) => `echo '# ${page}:${line}'\n${commands}`);
  return [npmWithout(scripts.parley), ...script].join('\n');
}

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { parley: string } };

/**
 * npm with two shortcuts: the command line is run as npm would, in less than half the time, with a `doctor` that is content with the
 * room in memory; and `npm start` is on a free port, only until the server is ready, and installs nothing.
 */
const npmWithout = (parley: string) => `npm() {
  local words=$*
  words=\${words/run --silent /run }
  if [[ $words == 'run parley -- '* ]]; then
    while [ "$1" != -- ]; do shift; done
    if [ "$2" = doctor ]; then set -- "$@" --min-free-gb 0.1; fi
    PATH=$PWD/node_modules/.bin:$PATH ${parley} "\${@:2}"
    return
  fi
  if [ "$1" != start ]; then command npm "$@"; return; fi
  local log=$(mktemp)
  PORT=0 DATA_DIR=\${DATA_DIR:-$(mktemp --directory)} setsid npm start --ignore-scripts > $log 2>&1 &
  local server=$!
  until grep 'is ready' $log; do kill -0 $server || { cat $log; return 1; }; sleep 0.1; done
  kill -TERM -$server
  wait $server || true
}
`;
