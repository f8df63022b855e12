import type { FoundShell } from './find-shell.js'
import { quoted, scratchFile } from './scratch.js'
import type { Seed } from './state.js'

/** Descriptors of the process: on one it reports its final state, from the other it reads a command that is too long for an argument. */
export const REPORT_FD = 3
export const COMMAND_FD = 4

/** Maximum size of the command in an argument. Linux allows 128 KiB in one argument, which also contains the text around the command. */
const MAX_ARGUMENT_BYTES = 120 * 1024
/** Maximum size of a state that is passed in the startup text. A longer state is passed in a file. */
const MAX_SEED_BYTES = 64 * 1024

export interface Invocation {
  readonly file: string
  readonly args: readonly string[]
  /** Text that must be written to `COMMAND_FD`. */
  readonly feed?: string
  /** Paths of temporary files, which the process removes when it starts. */
  readonly scratch: readonly string[]
}

export interface Task {
  readonly command: string
  /** The state with which bash starts. Other shells ignore it. */
  readonly seed?: Seed | undefined
  /** Whether the command reports its final state. */
  readonly reports: boolean
  /** Whether the command runs on a terminal, which has no `COMMAND_FD`. */
  readonly onTerminal?: boolean
}

/**
 * Builds the invocation that runs `command` as `shell -c command` would, with the same line numbers, messages and `$0`. An EXIT trap
 * reports the final state (`parseReport`). The trap also runs after `exit`, `set -e` and errors.
 *
 * Limits: a command that sets its own EXIT trap, calls `exec` or is killed reports nothing. A command that exports more than a program can
 * receive does not report its variables. Child processes inherit the descriptor of the report, so the reader waits for the report's end
 * mark, not for the end of the pipe. A command longer than an argument runs through `eval`, which some messages mention.
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

/**
 * Builds the invocation of a shell other than bash. The trap is on the same line as the command, so that line numbers stay the same. These
 * shells do not print the source line of a syntax error, so the trap is not printed.
 */
function startOther(shell: FoundShell, text: string, reports: boolean): Started {
  const script = reports ? `${reportAtExit(shell)}; ${text}` : text
  return { file: shell.file, args: [...(shell.dialect === 'zsh' ? ['-f'] : []), '-c', script, shell.dialect] }
}

/**
 * Builds the invocation of bash. bash prints the source line of a syntax error, so nothing may precede the command. Therefore the
 * preparation goes into a startup file (`BASH_ENV`). The startup file is a here-document, which only a shell can create, so `sh` creates it
 * and then execs bash. Functions pass through `env`, because `sh` would drop variables with such names.
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

/** Returns an end mark that does not occur in the text. */
function endMark(text: string): string {
  let mark = 'END'
  while (text.includes(mark)) mark += '_'
  return mark
}

/**
 * Returns the text of the startup file. Uses `builtin` and `command`, because functions of the state already exist and may have any name.
 */
function bashStartup(seed: Seed | undefined, report: string | undefined, file: (text: string) => string): string | undefined {
  if (seed === undefined && report === undefined) return undefined
  const { commands = '', last = '' } = seed ?? {}
  const isLong = Buffer.byteLength(commands) > MAX_SEED_BYTES
  // Bash parses the group as one command. So aliases and options that the group sets do not affect its own text.
  const seeding = commands === '' ? [] : ['{', isLong ? takeOver('builtin .', file(commands)) : commands, '} 2>/dev/null']
  return ['builtin unset BASH_ENV', 'command exec 9<&-', ...(report === undefined ? [] : [report]), ...seeding, last].join('\n')
}

function takeOver(reader: string, path: string): string {
  return `${reader} ${path}; command -p rm -f ${path}`
}

/** Returns a descriptor number that commands are unlikely to use. dash supports only single digits. */
function descriptor({ dialect }: FoundShell): number {
  return dialect === 'bash' ? 198 : 8
}

function reportAtExit(shell: FoundShell): string {
  const fd = descriptor(shell)
  if (shell.dialect !== 'bash') return `exec ${fd}>&${REPORT_FD} ${REPORT_FD}>&-; trap '${reportTo(fd)}' EXIT`
  return `command exec ${fd}>&${REPORT_FD} ${REPORT_FD}>&-; builtin trap '${bashReportTo(fd)}' EXIT`
}

/**
 * Returns the commands that report the state. They run in a subshell, which leaves `$?`, options and variables unchanged, and `set -x` does
 * not show them. If `pwd` fails, the path is missing.
 */
function reportTo(fd: number): string {
  const report = String.raw`command pwd -P; printf "\0"; ${EXPORTED} && printf "=\0"; printf "\0"`
  return `{ (s=$?; set +eux; { ${report}; } >&${fd}; exit $s); } 2>/dev/null`
}

const EXPORTED = 'command -p env -0'
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own.
const DEPTH = '${#FUNCNAME[@]}'

/**
 * Like `reportTo`, but uses `builtin` and adds the state of bash. `declare -p` lists aliases only by name. Must not contain apostrophes,
 * because the trap quotes the text in single quotes.
 */
function bashReportTo(fd: number): string {
  const state = String.raw`\builtin printf "=o%s\0=d%s\0=l" "$2" "${DEPTH}"; \builtin local -p; \builtin printf "\0=v"; \builtin declare -p; \builtin declare -p BASH_ALIASES`
  const functions = String.raw`for f in $(\builtin compgen -A function); do \builtin printf "=f"; \builtin declare -f -- "$f"; \builtin printf "\0"; done`
  const report = String.raw`\builtin pwd -P; \builtin printf "\0"; \builtin ${EXPORTED} && \builtin printf "=\0"; ${state}; \builtin printf "\0"; IFS="
"; ${functions}; \builtin printf "\0"`
  const quiet = String.raw`\builtin set +eEfuvxT; \builtin trap - DEBUG ERR`
  return String.raw`{ (\builtin set -- "$?" "$SHELLOPTS"; ${quiet}; { ${report}; } >&${fd}; \builtin exit "$1"); } 2>/dev/null`
}
