import type { ExitCode } from './exit-code.js'

/** Signals that end a program. Handled, for otherwise they would end this one and leave what its shell has started. */
const ENDING = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Runs a command that a signal aborts; its exit status is the signal's then. */
export async function underSignals(command: (signal: AbortSignal) => Promise<ExitCode>): Promise<ExitCode> {
  const interrupt = new AbortController()
  let ending: ExitCode | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    // The second one does not wait for anything.
    if (ending !== undefined) process.exit(ending)
    ending = ENDING[signal as keyof typeof ENDING]
    interrupt.abort()
  }
  for (const signal of Object.keys(ENDING)) process.on(signal, onSignal)
  try {
    const code = await command(interrupt.signal)
    return ending ?? code
  } finally {
    for (const signal of Object.keys(ENDING)) process.off(signal, onSignal)
  }
}
