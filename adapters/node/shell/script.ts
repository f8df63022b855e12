import type { FoundShell } from './find-shell.js'

/** Where the process reports its state at the end, and where it reads a command from that is too long for an argument. */
export const REPORT_FD = 3
export const COMMAND_FD = 4

/** Linux takes at most 128 KiB in one argument, with what stands around the command. */
const MAX_ARGUMENT_BYTES = 120 * 1024

export interface Invocation {
  readonly file: string
  readonly args: readonly string[]
  /** To be written to `COMMAND_FD`. */
  readonly feed?: string
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
export function invocation(shell: FoundShell, command: string): Invocation {
  if (Buffer.byteLength(command) <= MAX_ARGUMENT_BYTES) return start(shell, command)
  return { ...start(shell, `eval "$(command -p cat <&${COMMAND_FD})" ${COMMAND_FD}<&-`), feed: command }
}

function start(shell: FoundShell, text: string): Invocation {
  if (shell.dialect === 'bash') return startBash(shell, text)
  // One line with the command: its first line stays line 1. These shells do not print the source with a syntax error.
  const script = `${reportAtExit(descriptor(shell))}; ${text}`
  return { file: shell.file, args: [...(shell.dialect === 'zsh' ? ['-f'] : []), '-c', script, shell.dialect] }
}

/**
 * bash prints the source line with a syntax error, so nothing may stand in front of the command. Its startup file can set the trap
 * instead: a here-document, which only a shell can hand over, so `sh` makes it and becomes bash.
 */
function startBash(shell: FoundShell, text: string): Invocation {
  const script = `BASH_ENV=/dev/fd/9 exec "$0" --noprofile --norc -c -- "$1" bash 9<<'END'
unset BASH_ENV
exec 9<&-
${reportAtExit(descriptor(shell))}
END`
  return { file: '/bin/sh', args: ['-c', script, shell.file, text] }
}

/** One that commands are unlikely to use by its number; dash knows only single digits. */
function descriptor({ dialect }: FoundShell): number {
  return dialect === 'bash' ? 198 : 8
}

function reportAtExit(fd: number): string {
  return `exec ${fd}>&${REPORT_FD} ${REPORT_FD}>&-; trap '${reportTo(fd)}' EXIT`
}

/** Leaves `$?`, options and variables as they are, which a subshell does by itself. `set -x` shows nothing of it. No `pwd`, no path. */
function reportTo(fd: number): string {
  const report = String.raw`command pwd -P; printf "\0"; command -p env -0 && printf "\0"`
  return `{ (s=$?; set +eux; { ${report}; } >&${fd}; exit $s); } 2>/dev/null`
}
