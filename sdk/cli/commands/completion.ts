import type { Command } from '../command.ts';

const SHELLS = ['bash', 'zsh'];

/** Prints a shell's completion script for the commands, including this one. */
export function completionCommand(others: readonly Command[]): Command {
  const command: Command = {
    name: 'completion',
    parameters: ['<shell>'],
    choices: { '<shell>': SHELLS },
    about: 'print the completion for bash or zsh: eval "$(parley completion bash)"',
    async run(_terminal, { args: [shell = ''] }) {
      const script = shell === 'bash' ? bash([...others, command]) : zsh([...others, command]);
      return { text: script, data: { shell, script } };
    },
  };
  return command;
}

function optionsOf({ options = {}, flags = {} }: Command): string[] {
  return [...Object.keys(options), ...Object.keys(flags), 'json', 'help'].map((name) => `--${name}`);
}

/** Words that may follow the name of a command: the values of its parameter and its options. */
function wordsOf(command: Command): string[] {
  const [parameter = ''] = command.parameters ?? [];
  return [...(command.choices?.[parameter] ?? []), ...optionsOf(command)];
}

/** The values of options, by command and option. */
function valuesOf({ name, choices = {} }: Command): [key: string, values: string][] {
  return Object.entries(choices)
    .filter(([place]) => place.startsWith('--'))
    .map(([option, values]) => [`${name} ${option}`, values.join(' ')]);
}

function bash(commands: readonly Command[]): string {
  return `_parley() {
  local words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')}"
  else
    case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${commands
  .flatMap(valuesOf)
  .map(([key, values]) => `      "${key}") words="${values}" ;;`)
  .join('\n')}
      *) case "\${COMP_WORDS[1]}" in
${commands.map((command) => `        ${command.name}) words="${wordsOf(command).join(' ')}" ;;`).join('\n')}
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$2"))
}
complete -o default -F _parley parley parley-sdk`;
}

function zsh(commands: readonly Command[]): string {
  return `#compdef parley parley-sdk
_parley() {
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(
${commands.map(({ name, about }) => `      '${name}:${quoted(about)}'`).join('\n')}
    )
    _describe 'command' choices
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${commands
  .flatMap(valuesOf)
  .map(([key, values]) => `    "${key}") choices=(${values}) ;;`)
  .join('\n')}
    *) case $words[2] in
${commands.map((command) => `      ${command.name}) choices=(${wordsOf(command).join(' ')}) ;;`).join('\n')}
    esac ;;
  esac
  compadd -a choices
}
compdef _parley parley parley-sdk`;
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
}
