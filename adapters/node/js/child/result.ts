import { writeSync } from 'node:fs'
import { send } from './channel.js'

let read: (() => unknown) | undefined

/** What the program exports by default. Said last: until then it may change. */
export function keep(module: { readonly default?: unknown }): void {
  read = () => module.default
}

/** Tells the parent at the end what was kept, else what `fallback` gives. */
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
    // Nobody reads it.
  }
}
