const each = (names: string, why: string): [string, string][] => names.split(' ').map((name) => [name, why])

const RUNS_TEXT = 'runs text as commands'
const CHANGES = 'changes the meaning of command names'
const ARGUMENTS = 'runs commands with arguments that cannot be checked'
const CONTAINS = 'runs commands where they cannot be checked'
const CALCULATES = 'evaluates text, which can run commands'
const EDITOR = 'is an interactive program that can run others: use a file tool'

/** Programs that can run any other program: allowing one would allow everything. */
const REFUSED = new Map<string, string>([
  ...each('eval source . trap fc', RUNS_TEXT),
  ...each('let integer float', CALCULATES),
  ...each('alias unalias hash enable bind complete compgen mapfile readarray shopt setopt unsetopt autoload zmodload emulate', CHANGES),
  ...each('xargs gxargs parallel entr watch npx bunx pnpx pipx uvx rargs', ARGUMENTS),
  ...each('script strace ltrace gdb lldb valgrind unshare nsenter flock chroot runuser fakeroot proot systemd-run at batch', CONTAINS),
  ...each('crontab tmux screen unbuffer rlwrap dbus-run-session start-stop-daemon daemonize run-parts chrt taskset numactl', CONTAINS),
  ...each('setarch linux32 linux64 i386 x86_64 perf socat cscript wscript mshta rundll32 cmd command.com wsl forfiles start', CONTAINS),
  ...each('vi vim nvim view ex vimdiff emacs emacsclient nano pico ed red joe mcedit kak hx', EDITOR),
  ['tee', 'writes files: use a file tool'],
])

/** Whether the program runs code that cannot be checked, so that its risk is high. */
export function isDoor(name: string): boolean {
  const why = REFUSED.get(name)
  return why !== undefined && why !== EDITOR && name !== 'tee'
}

/** Returns the reason to reject a program, whatever its arguments. Undefined if the program is not in the list. */
export const refusedProgram = (name: string): string | undefined => REFUSED.get(name)
