import { Failure } from '../shared/failure.js'
import type { AwkArray, Value } from './values.js'

/** Parameters and local variables of one function call. */
export type Frame = (Value | AwkArray)[]

/** Returns a global array, or an array that was passed to the function. */
export type ArrayOf = (frame: Frame) => AwkArray

/**
 * A compiled expression. `waits` tells whether `run` returns a promise. Most expressions run once per record, so those that need not wait
 * return their value synchronously.
 */
export type Code =
  | { readonly waits: false; readonly run: (frame: Frame) => Value }
  | { readonly waits: true; readonly run: (frame: Frame) => Promise<Value> }

/** How a statement ended. */
export type Outcome = 'done' | 'break' | 'continue' | 'next' | 'nextfile' | 'return'

export type Step =
  | { readonly waits: false; readonly run: (frame: Frame) => Outcome }
  | { readonly waits: true; readonly run: (frame: Frame) => Promise<Outcome> }

/** Thrown by `exit`, from any depth. */
export class Exit extends Error {}

/** Thrown by `next` and `nextfile` inside a function. */
export class Skip extends Failure {
  readonly outcome: 'next' | 'nextfile'

  constructor(outcome: 'next' | 'nextfile') {
    super(`fatal: \`${outcome}' cannot be called from a BEGIN or END rule`, 2)
    this.outcome = outcome
  }
}

export const now = (run: (frame: Frame) => Value): Code => ({ waits: false, run })
export const later = (run: (frame: Frame) => Promise<Value>): Code => ({ waits: true, run })

/** Returns code that applies `body` to the value of `code`. The result waits only if `code` waits. */
export function from(code: Code, body: (value: Value) => Value): Code {
  if (code.waits) {
    const { run } = code
    return later(async (frame) => body(await run(frame)))
  }
  const { run } = code
  return now((frame) => body(run(frame)))
}

export function fromTwo(first: Code, second: Code, body: (a: Value, b: Value) => Value): Code {
  if (!first.waits && !second.waits) {
    const [a, b] = [first.run, second.run]
    return now((frame) => body(a(frame), b(frame)))
  }
  return later(async (frame) => {
    const a = await first.run(frame)
    return body(a, await second.run(frame))
  })
}

export function fromAll(codes: readonly Code[], body: (values: Value[], frame: Frame) => Value): Code {
  if (areNow(codes))
    return now((frame) =>
      body(
        codes.map(({ run }) => run(frame)),
        frame,
      ),
    )
  return later(async (frame) => {
    const values: Value[] = []
    for (const { run } of codes) values.push(await run(frame))
    return body(values, frame)
  })
}

export function areNow(codes: readonly Code[]): codes is readonly Extract<Code, { waits: false }>[] {
  return codes.every(({ waits }) => !waits)
}
