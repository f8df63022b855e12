import { COMMAND_NAMES, OPTION_HELP, optionsOf } from './help.js'

/**
 * The completions for bash: commands, options, values of options, files, and names of tools. Names of tools come from `toolport tools`
 * without a configuration file, because a `.mjs` file is a program.
 */
export function bashCompletion(): string {
  return `_toolport() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]} words=
  COMPREPLY=()
  case $previous in
${Object.entries(OPTION_HELP).flatMap(valueCase).join('\n')}
  esac
  if ((COMP_CWORD == 1)); then
    words='${COMMAND_NAMES.join(' ')} help --help --version'
  elif [[ $current == -* ]]; then
    case $command in
${COMMAND_NAMES.map((name) => `      ${name}) words='${optionsOf(name).map(long).join(' ')}' ;;`).join('\n')}
    esac
  elif ((COMP_CWORD == 2)); then
    case $command in
      call | tools) words=$(toolport tools --no-config 2>/dev/null | while read -r name _; do echo "$name"; done) ;;
      run | replay) compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); return ;;
      help) words='${COMMAND_NAMES.join(' ')}' ;;
      completion) words=bash ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
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
