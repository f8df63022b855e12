/** What is asked of the shell beside the command itself. It is small: what it can is tried out, see `forms.ts`. */
export interface Form {
  /** The input can be a file. Without: the terminal, which no one types on. */
  readonly stdin: boolean
  /** Errors can go to a file. */
  readonly stderr: boolean
  /** It tells its directory and variables at the end. */
  readonly report: boolean
}

/** Full paths in the container. */
export interface FormFiles {
  readonly stdin: string
  readonly stderr: string
  readonly report: string
}

/**
 * The script that runs `command` in a shell of its own, of nothing but simple commands and redirections. What the command is made of, and
 * a syntax error in it, stays inside. Its last line reports, which `exit` and `set -e` leave out: the shell is not known to have traps.
 */
export function scriptOf(command: string, form: Form, files: FormFiles): string {
  const inner = form.report && !isOpenAtEnd(command) ? command + reportTo(quoted(files.report)) : command
  if (!form.stdin) return inner
  const errors = form.stderr ? ` 2> ${quoted(files.stderr)}` : ''
  return `jsh -c ${quoted(inner)} < ${quoted(files.stdin)}${errors}`
}

/** Two line ends: a backslash at the end of a command takes one. Errors of our own are nobody's. */
function reportTo(file: string): string {
  return `\n\ntoolport_status=$?; pwd > ${file} 2> /dev/null; env >> ${file} 2> /dev/null; exit $toolport_status`
}

/** A here-document without its end would take our line for one of its own. */
function isOpenAtEnd(command: string): boolean {
  const begins = command.matchAll(/(?<!<)<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([A-Za-z_][\w-]*))/g)
  for (const begin of begins) {
    const word = begin[1] ?? begin[2] ?? begin[3] ?? ''
    const [, ...lines] = command.slice(begin.index).split('\n')
    if (!lines.some((line) => line.replace(/^\t+/, '') === word)) return true
  }
  return false
}

export interface Report {
  /** Path in the container. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Set by each shell for itself. */
const OF_THE_SHELL = new Set(['_', 'SHLVL', 'toolport_status'])

/** A line that begins no variable goes on with the value of the one before. Undefined: it is not whole. */
export function parseReport(text: string): Report | undefined {
  const [cwd = '', ...lines] = text.replace(/\n$/, '').split('\n')
  if (!cwd.startsWith('/') || !text.endsWith('\n')) return undefined
  const variables: [name: string, value: string][] = []
  for (const line of lines) {
    const [, name, value = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(line) ?? []
    const last = variables.at(-1)
    if (name !== undefined) variables.push([name, value])
    else if (last) last[1] += `\n${line}`
  }
  return { cwd, env: Object.fromEntries(variables.filter(([name]) => !OF_THE_SHELL.has(name))) }
}

/** One word of a shell, whatever it holds but NUL. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
