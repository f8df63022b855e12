/** The optional features of the container's small shell, which `findForm` detects by trial. */
export interface Form {
  /** The input can come from a file. Otherwise it is the terminal, which receives no input. */
  readonly stdin: boolean
  /** stderr can go to a file. */
  readonly stderr: boolean
  /** The shell can report its directory and variables at the end. */
  readonly report: boolean
}

/** Full paths in the container. */
export interface FormFiles {
  readonly stdin: string
  readonly stderr: string
  readonly report: string
}

/**
 * Builds a script that runs `command` in a separate shell, using only simple commands and redirections. Syntax errors of the command stay
 * inside that shell. The last line in that shell reports the state; `exit` and `set -e` skip the report, because the shell may not support
 * traps.
 */
export function scriptOf(command: string, form: Form, files: FormFiles): string {
  const inner = form.report && !isOpenAtEnd(command) ? command + reportTo(quoted(files.report)) : command
  if (!form.stdin) return inner
  const errors = form.stderr ? ` 2> ${quoted(files.stderr)}` : ''
  return `jsh -c ${quoted(inner)} < ${quoted(files.stdin)}${errors}`
}

/** Starts with two line breaks, because a backslash at the end of the command consumes one. Suppresses errors of the report itself. */
function reportTo(file: string): string {
  return `\n\ntoolport_status=$?; pwd > ${file} 2> /dev/null; env >> ${file} 2> /dev/null; exit $toolport_status`
}

/** An unterminated here-document would swallow the report's line. */
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

/** Variables that each shell sets itself. */
const OF_THE_SHELL = new Set(['_', 'SHLVL', 'toolport_status'])

/** A line that does not start a variable continues the previous value. Returns undefined for an incomplete report. */
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

/** Quotes any text without NUL for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
