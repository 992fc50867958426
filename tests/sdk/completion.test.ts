import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { LONGEST_WAIT_MS } from '#testing/waits.ts';
import { runCommandLine } from '../../sdk/cli/command-line.ts';
import { has } from '../guide/has.ts';

const run = promisify(execFile);

let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-completion-'));
});
after(() => rmSync(directory, { recursive: true }));

/** The output of a command line that needs no server. */
async function printed(...words: string[]): Promise<string> {
  const lines: string[] = [];
  const terminal = { environment: {}, printError: assert.fail, ask: assert.fail };
  const { signal } = new AbortController();
  assert.equal(
    await runCommandLine(words, { ...terminal, signal, print: (line) => void lines.push(line) }),
    0,
  );
  return lines.join('\n');
}

test('the help names every command, each with its options, and the version is that of the package', async () => {
  const help = await printed('--help');
  const names = [...help.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name as string);
  const page = readFileSync('docs/guide/cli.md', 'utf8');
  assert.deepEqual(
    [...page.matchAll(/^\| `parley ([\w-]+)/gm)].map(([, name]) => name),
    names,
    'the guide',
  );
  for (const name of names) assert.match(await printed(name, '--help'), /--json/);
  assert.equal(await printed('help'), help);
  assert.equal(await printed('help', 'send'), await printed('send', '--help'));
  assert.equal(await printed('--version'), JSON.parse(readFileSync('sdk/package.json', 'utf8')).version);
});

async function scriptFor(shell: string): Promise<string> {
  const file = join(directory, `completion.${shell}`);
  const script = await printed('completion', shell);
  assert.equal(JSON.parse(await printed('completion', shell, '--json')).script, script);
  writeFileSync(file, script);
  return file;
}

const COMPLETED: [typed: string, completed: string][] = [
  ['parley li', 'listen'],
  ['parley comp', 'completion'],
  ['parley-sdk events --fol', '--follow'],
  ['parley trigger gr', 'group_message.received'],
  ['parley trigger message.received --type st', 'sticker'],
  ['parley api PA', 'PATCH'],
  ['parley completion z', 'zsh'],
];

test('bash completes commands, options and their values', async () => {
  const script = await scriptFor('bash');
  const complete = `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _parley parley "\${!#}"; echo "\${COMPREPLY[*]}"`;
  for (const [typed, completed] of COMPLETED) {
    const { stdout } = await run('bash', ['-c', complete, 'bash', ...typed.split(' ')]);
    assert.equal(stdout.trim(), completed);
  }
});

test('zsh completes them, too, when Tab is pressed', async (t) => {
  if (!has('zsh', '--version')) return t.diagnostic('not run: this machine has no zsh');
  const script = await scriptFor('zsh');
  // An interactive shell on a terminal of its own, read character by character until it shows the completion.
  const main = `
zmodload zsh/zpty
read-until() { local sign shown; while [[ $shown != *$1* ]] { zpty -r shell sign '?' || exit 1; shown+=$sign } }
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -U compinit; compinit -u -D; source ${script}; print re''ady"
read-until ready
while (( $# )) { zpty -w -n shell "$1"$'\\t'; read-until "$2"; zpty -w -n shell $'\\x15'; shift 2 }
zpty -d shell`;
  await run('zsh', ['-f', '-c', main, 'zsh', ...COMPLETED.flat()], { timeout: LONGEST_WAIT_MS });
});
