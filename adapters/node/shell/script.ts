import type { FoundShell } from './find-shell.js'
import { quoted, scratchFile } from './scratch.js'
import type { Seed } from './state.js'

/** Where the process reports its state at the end, and where it reads a command from that is too long for an argument. */
export const REPORT_FD = 3
export const COMMAND_FD = 4

/** Linux takes at most 128 KiB in one argument, with what stands around the command. */
const MAX_ARGUMENT_BYTES = 120 * 1024
/** Of a state; a longer one is handed over in a file. */
const MAX_SEED_BYTES = 64 * 1024

export interface Invocation {
  readonly file: string
  readonly args: readonly string[]
  /** To be written to `COMMAND_FD`. */
  readonly feed?: string
  /** Temporary files; the process removes them as it begins. */
  readonly scratch: readonly string[]
}

export interface Task {
  readonly command: string
  /** For bash only. */
  readonly seed?: Seed | undefined
  /** Whether it is to report where it ended. */
  readonly reports: boolean
  /** Whether it has nothing but a terminal: then there is no `COMMAND_FD`. */
  readonly onTerminal?: boolean
}

/**
 * How to start `shell` so that it runs `command` as `shell -c command` would, with the same line numbers, messages and `$0`, and reports
 * where it ended (`parseReport`): an EXIT trap does it, which runs after `exit`, `set -e` and errors too.
 *
 * Limits. A command that sets an EXIT trap of its own, becomes another program (`exec`) or is killed reports nothing; one that exports more
 * than a program can be given does not report its variables.
 * Its children inherit the descriptor of the report; the report's own end mark, not the end of the pipe, is what is waited for. A command
 * longer than an argument may be runs through `eval`, which some messages mention.
 */
export function invocation(shell: FoundShell, { command, seed, reports, onTerminal = false }: Task): Invocation {
  const scratch: string[] = []
  const file = (text: string): string => {
    const path = scratchFile(text)
    scratch.push(path)
    return quoted(path)
  }
  const isLong = Buffer.byteLength(command) > MAX_ARGUMENT_BYTES
  const feed = isLong && !onTerminal ? command : undefined
  let text = command
  if (feed !== undefined) text = `eval "$(command -p cat <&${COMMAND_FD})" ${COMMAND_FD}<&-`
  else if (isLong) text = `eval "$(${takeOver('command -p cat', file(command))})"`
  const startup = shell.dialect === 'bash' ? bashStartup(seed, reports ? reportAtExit(shell) : undefined, file) : undefined
  const started = shell.dialect === 'bash' ? startBash(shell, text, startup, seed) : startOther(shell, text, reports)
  return { ...started, ...(feed !== undefined && { feed }), scratch }
}

type Started = Pick<Invocation, 'file' | 'args'>

/** One line with the command: its first line stays line 1. These shells do not print the source with a syntax error. */
function startOther(shell: FoundShell, text: string, reports: boolean): Started {
  const script = reports ? `${reportAtExit(shell)}; ${text}` : text
  return { file: shell.file, args: [...(shell.dialect === 'zsh' ? ['-f'] : []), '-c', script, shell.dialect] }
}

/**
 * bash prints the source line with a syntax error, so nothing may stand in front of the command. Its startup file can do what comes before
 * it: a here-document, which only a shell can hand over, so `sh` makes it and becomes bash. By way of `env` where there are functions:
 * `sh` would drop them, their names are none for it.
 */
function startBash(shell: FoundShell, text: string, startup: string | undefined, seed: Seed | undefined): Started {
  const args = ['--noprofile', '--norc', '-c', '--', text, 'bash']
  if (startup === undefined) return { file: shell.file, args }
  const functions = seed?.functions ?? []
  const env = functions.length > 0 ? ['/usr/bin/env', ...functions] : []
  const end = endMark(startup)
  const script = `BASH_ENV=/dev/fd/9 exec "$@" 9<<'${end}'\n${startup}\n${end}`
  return { file: '/bin/sh', args: ['-c', script, 'sh', ...env, shell.file, ...args] }
}

/** A line that does not stand in the text. */
function endMark(text: string): string {
  let mark = 'END'
  while (text.includes(mark)) mark += '_'
  return mark
}

/** With `builtin` and `command`: functions of the state are there already, whatever their names. */
function bashStartup(seed: Seed | undefined, report: string | undefined, file: (text: string) => string): string | undefined {
  if (seed === undefined && report === undefined) return undefined
  const { commands = '', last = '' } = seed ?? {}
  const isLong = Buffer.byteLength(commands) > MAX_SEED_BYTES
  // Read as one command: aliases and options that it sets are not for the rest of it.
  const seeding = commands === '' ? [] : ['{', isLong ? takeOver('builtin .', file(commands)) : commands, '} 2>/dev/null']
  return ['builtin unset BASH_ENV', 'command exec 9<&-', ...(report === undefined ? [] : [report]), ...seeding, last].join('\n')
}

function takeOver(reader: string, path: string): string {
  return `${reader} ${path}; command -p rm -f ${path}`
}

/** One that commands are unlikely to use by its number; dash knows only single digits. */
function descriptor({ dialect }: FoundShell): number {
  return dialect === 'bash' ? 198 : 8
}

function reportAtExit(shell: FoundShell): string {
  const fd = descriptor(shell)
  if (shell.dialect !== 'bash') return `exec ${fd}>&${REPORT_FD} ${REPORT_FD}>&-; trap '${reportTo(fd)}' EXIT`
  return `command exec ${fd}>&${REPORT_FD} ${REPORT_FD}>&-; builtin trap '${bashReportTo(fd)}' EXIT`
}

/** Leaves `$?`, options and variables as they are, which a subshell does by itself. `set -x` shows nothing of it. No `pwd`, no path. */
function reportTo(fd: number): string {
  const report = String.raw`command pwd -P; printf "\0"; ${EXPORTED} && printf "=\0"; printf "\0"`
  return `{ (s=$?; set +eux; { ${report}; } >&${fd}; exit $s); } 2>/dev/null`
}

const EXPORTED = 'command -p env -0'
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own.
const DEPTH = '${#FUNCNAME[@]}'

/** The same with `builtin`, and with the state; aliases stand in the list only when they are asked for by name. No apostrophes: it stands between two of them. */
function bashReportTo(fd: number): string {
  const state = String.raw`\builtin printf "=o%s\0=d%s\0=l" "$2" "${DEPTH}"; \builtin local -p; \builtin printf "\0=v"; \builtin declare -p; \builtin declare -p BASH_ALIASES`
  const functions = String.raw`for f in $(\builtin compgen -A function); do \builtin printf "=f"; \builtin declare -f -- "$f"; \builtin printf "\0"; done`
  const report = String.raw`\builtin pwd -P; \builtin printf "\0"; \builtin ${EXPORTED} && \builtin printf "=\0"; ${state}; \builtin printf "\0"; IFS="
"; ${functions}; \builtin printf "\0"`
  const quiet = String.raw`\builtin set +eEfuvxT; \builtin trap - DEBUG ERR`
  return String.raw`{ (\builtin set -- "$?" "$SHELLOPTS"; ${quiet}; { ${report}; } >&${fd}; \builtin exit "$1"); } 2>/dev/null`
}
