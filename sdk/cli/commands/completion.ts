import { type Command, UsageError } from '../command.ts';

/** Prints what a shell needs to complete the other commands. */
export function completionCommand(commands: readonly Command[]): Command {
  return {
    name: 'completion',
    parameters: ['<shell>'],
    about: 'print the completion for bash or zsh: eval "$(parley completion bash)"',
    async run(_terminal, { args: [shell = ''] }) {
      if (shell !== 'bash' && shell !== 'zsh') throw new UsageError('the shell must be bash or zsh');
      const text = shell === 'bash' ? bash(commands) : zsh(commands);
      return { text, data: { shell, script: text } };
    },
  };
}

function optionsOf({ options = {}, flags = {} }: Command): string[] {
  return [...Object.keys(options), ...Object.keys(flags), 'json', 'help'].map((name) => `--${name}`);
}

function bash(commands: readonly Command[]): string {
  return [
    '_parley() {',
    '  local words',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${[...commands.map(({ name }) => name), 'completion'].join(' ')}"`,
    '  else',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how bash says it
    '    case "${COMP_WORDS[1]}" in',
    ...commands.map((command) => `      ${command.name}) words="${optionsOf(command).join(' ')}" ;;`),
    '      completion) words="bash zsh" ;;',
    '      *) words="" ;;',
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$2"))',
    '}',
    'complete -o default -F _parley parley parley-sdk',
  ].join('\n');
}

function zsh(commands: readonly Command[]): string {
  return [
    '#compdef parley parley-sdk',
    '_parley() {',
    '  local -a choices',
    '  if (( CURRENT == 2 )); then',
    '    choices=(',
    ...commands.map(({ name, about }) => `      '${name}:${quoted(about)}'`),
    "      'completion:print the completion for bash or zsh'",
    '    )',
    "    _describe 'command' choices",
    '    return',
    '  fi',
    '  case $words[2] in',
    ...commands.map((command) => `    ${command.name}) choices=(${optionsOf(command).join(' ')}) ;;`),
    '    completion) choices=(bash zsh) ;;',
    '  esac',
    '  compadd -a choices',
    '}',
    'compdef _parley parley parley-sdk',
  ].join('\n');
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
}
