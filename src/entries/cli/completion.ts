import { COMMAND_HELP, COMMAND_NAMES, OPTION_HELP, optionsOf } from './help.js'
import type { CompletionShell } from './names.js'
import { PROXY_OPTIONS } from './proxy.js'

/** The function that returns a shell's completions, by the name of the shell. */
export const COMPLETIONS: Readonly<Record<CompletionShell, () => string>> = { bash, zsh, fish }

/**
 * Returns the completions for bash: commands, options, values of options, files, and names of tools. The completions get the names of tools
 * from `toolport tools` without a configuration file, because a `.mjs` file would run code.
 */
function bash(): string {
  return `_toolport() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]} offers=
  COMPREPLY=()
  case $previous in
${Object.entries(OPTION_HELP).flatMap(valueCase).join('\n')}
  esac
  if ((COMP_CWORD == 1)); then
    offers='${COMMAND_NAMES.join(' ')} help --help --version'
  elif [[ $current == -* ]]; then
    case $command in
${COMMAND_NAMES.map((name) => `      ${name}) offers='${(name === 'proxy' ? Object.keys(PROXY_OPTIONS) : optionsOf(name)).map(long).join(' ')}' ;;`).join('\n')}
    esac
  elif ((COMP_CWORD == 2)); then
    case $command in
      call | tools) offers=$(toolport tools --no-config 2>/dev/null | while read -r name _; do echo "$name"; done) ;;
      run | replay | eval) compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); return ;;
      help) offers='${COMMAND_NAMES.join(' ')}' ;;
      completion) offers='${Object.keys(COMPLETIONS).join(' ')}' ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
}
complete -F _toolport toolport
`
}

const long = (name: string): string => `--${name}`

function valueCase([name, { values }]: [string, (typeof OPTION_HELP)[string]]): string[] {
  if (values === undefined) return []
  const generate = values === 'file' ? '-f' : values === 'directory' ? '-d' : `-W '${values.join(' ')}'`
  const files = typeof values === 'string' ? 'compopt -o filenames; ' : ''
  return [`    --${name}) ${files}COMPREPLY=($(compgen ${generate} -- "$current")); return ;;`]
}

/** Returns the completions for zsh, which runs those for bash. The bash emulation of zsh has no `compopt`. */
function zsh(): string {
  return `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U bashcompinit && bashcompinit
(( $+functions[compopt] )) || compopt() { :; }
${bash()}`
}

/** Returns the completions for fish. Each line has a condition, which says at which words of the command line it applies. */
function fish(): string {
  const line = (condition: string, rest: string): string => `complete -c toolport -n '${condition}' ${rest}`
  const after = (...commands: readonly string[]): string => `__fish_seen_subcommand_from ${commands.join(' ')}`
  const atOperand = (...commands: readonly string[]): string => `test (count (commandline -opc)) -eq 2; and ${after(...commands)}`
  const commands = Object.entries(COMMAND_HELP).map(([name, { usage }]) =>
    line('__fish_is_first_arg', `-a ${name} -d ${quoted(usage[0]?.[1] ?? '')}`),
  )
  const options = Object.entries(OPTION_HELP).map(([name, { usage, text, values }]) => {
    const files = values === 'file' || values === 'directory'
    const offer = files
      ? `-x -a '(__fish_complete_${values === 'file' ? 'path' : 'directories'})'`
      : values && `-x -a '${values.join(' ')}'`
    const takers = COMMAND_NAMES.filter((command) => optionsOf(command).includes(name))
    return line(after(...takers), `-l ${name} ${offer ?? (usage.includes(' ') ? '-x' : '')} -d ${quoted(text)}`)
  })
  const proxyOptions = Object.entries(PROXY_OPTIONS).flatMap(([name, { type }]) =>
    type === 'string' ? [line(after('proxy'), `-l ${name} -x`)] : [],
  )
  return `${[
    'complete -c toolport -f',
    ...commands,
    line('__fish_is_first_arg', `-a help -d 'Describes a command.'`),
    line(atOperand('help'), `-a '${COMMAND_NAMES.join(' ')}'`),
    line(atOperand('completion'), `-a '${Object.keys(COMPLETIONS).join(' ')}'`),
    line(atOperand('call', 'tools'), `-a '(toolport tools --no-config 2>/dev/null | string split -f1 " ")'`),
    line(atOperand('run', 'replay', 'eval'), '-F'),
    ...options,
    ...proxyOptions,
  ].join('\n')}\n`
}

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
