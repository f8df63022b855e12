/** Signals by number, as on Linux. */
const NAMES = [
  '',
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGUSR1',
  'SIGSEGV',
  'SIGUSR2',
  'SIGPIPE',
  'SIGALRM',
  'SIGTERM',
  'SIGSTKFLT',
  'SIGCHLD',
  'SIGCONT',
  'SIGSTOP',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
  'SIGURG',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGVTALRM',
  'SIGPROF',
  'SIGWINCH',
  'SIGIO',
  'SIGPWR',
  'SIGSYS',
] as const

export type SignalName = Exclude<(typeof NAMES)[number], ''>

/** Signals that are ignored by default. */
const HARMLESS: ReadonlySet<string> = new Set(['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH'])
const STOPPING: ReadonlySet<string> = new Set(['SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU'])

/** Parses `TERM`, `SIGTERM`, `term` or `15`. Returns undefined for an unknown signal. */
export function signalNamed(text: string): SignalName | undefined {
  const found = /^\d+$/.test(text)
    ? NAMES[Number(text)]
    : NAMES.find((name) => name !== '' && [name, name.slice(3)].includes(text.toUpperCase() as typeof name))
  return found || undefined
}

export const signalNumber = (name: SignalName): number => NAMES.indexOf(name)

/** Returns the exit status of a process that the signal has ended. */
export const statusOf = (name: SignalName): number => 128 + signalNumber(name)

export const isHarmless = (name: SignalName): boolean => HARMLESS.has(name)
export const isStopping = (name: SignalName): boolean => STOPPING.has(name)

/** Returns the output of `kill -l` and `trap -l`. */
export function signalTable(): string {
  const cells = NAMES.flatMap((name, number) => (name === '' ? [] : [`${String(number).padStart(2)}) ${name}`]))
  let table = ''
  for (let i = 0; i < cells.length; i += 5) table += `${cells.slice(i, i + 5).join('\t')}\n`
  return table
}
