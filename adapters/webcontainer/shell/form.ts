/** The optional features of the container's small shell, which `findForm` detects by trial. */
export interface Form {
  /** Whether the input can come from a file. Otherwise the input is the terminal, to which nothing is written. */
  readonly stdin: boolean
  /** Whether stderr can be redirected to a file. */
  readonly stderr: boolean
  /** Whether the shell can report its directory and its variables at the end of a command. */
  readonly report: boolean
}

/** Full paths in the container of a command's private files. */
export interface FormFiles {
  readonly stdin: string
  readonly stderr: string
  readonly report: string
}

/**
 * Builds a script that runs `command`, using only simple commands and redirections. With `form.stdin`, the command runs in a separate
 * shell, so that its syntax errors stay inside that shell. With `form.report`, a last line reports the directory and the variables. `exit`
 * and `set -e` in the command skip this line: the script uses no trap, because the shell may not support traps.
 */
export function scriptOf(command: string, form: Form, files: FormFiles): string {
  const inner = form.report && !isOpenAtEnd(command) ? command + reportTo(quoted(files.report)) : command
  if (!form.stdin) return inner
  const errors = form.stderr ? ` 2> ${quoted(files.stderr)}` : ''
  return `jsh -c ${quoted(inner)} < ${quoted(files.stdin)}${errors}`
}

/**
 * Returns the line that writes the report. It starts with two line breaks, because a backslash at the end of the command consumes one.
 * Errors of the report itself are suppressed.
 */
function reportTo(file: string): string {
  return `\n\ntoolport_status=$?; pwd > ${file} 2> /dev/null; env >> ${file} 2> /dev/null; exit $toolport_status`
}

/** Returns whether the command ends within a here-document, which would swallow the line that writes the report. */
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
  /** Full path of the directory in the container. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Variables that a shell sets itself, or that the script sets. */
const OF_THE_SHELL = new Set(['_', 'SHLVL', 'toolport_status'])

/**
 * Parses the report of a command. A line that does not start a variable continues the previous value. Returns undefined for an incomplete
 * report.
 */
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

/** Quotes a text as one word of a shell. The text must not contain NUL. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
