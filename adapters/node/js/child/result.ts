import { writeSync } from 'node:fs'
import { send } from './channel.js'

let read: (() => unknown) | undefined

/** Keeps the module to read its default export at exit, because the export may change until then. */
export function keep(module: { readonly default?: unknown }): void {
  read = () => module.default
}

/** At exit, sends the default export of the kept module to the parent, or else the value of `fallback`. */
export function tellResultAtExit(fallback: () => unknown): void {
  process.once('exit', () => {
    try {
      const result = (read ?? fallback)()
      if (result !== undefined) send({ result })
    } catch (error) {
      complain(error)
    }
  })
}

function complain(error: unknown): void {
  try {
    writeSync(2, `The default export is not handed over: ${error instanceof Error ? error.message : String(error)}\n`)
  } catch {
    // Ignored: stderr is closed.
  }
}
