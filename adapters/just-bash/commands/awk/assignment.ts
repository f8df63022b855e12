import { Failure } from '../shared/failure.js'
import type { Code, Frame } from './code.js'
import type { Compiler } from './compiler.js'
import type { Expr, Target } from './syntax.js'
import { AwkArray, toNumber, type Value } from './values.js'

/** The target of an assignment. Evaluate `keys` first, then pass their values to `read` and `write`. */
export interface Place {
  readonly keys: readonly Code[]
  read(keys: readonly Value[], frame: Frame): Value
  write(keys: readonly Value[], value: Value, frame: Frame): void
}

export function compilePlace(compiler: Compiler, target: Target): Place {
  const { runtime } = compiler
  if (target.kind === 'field') {
    return {
      keys: [compiler.value(target.at)],
      read: ([at]) => runtime.field(Math.trunc(toNumber(at))),
      write: ([at], value) => runtime.setField(Math.trunc(toNumber(at)), value),
    }
  }
  if (target.kind === 'index') {
    const array = compiler.array(target.array)
    return {
      keys: [compiler.key(target.keys)],
      read: ([key], frame) => {
        const map = array(frame)
        const value = map.get(key as string)
        // POSIX: reading an array element creates it.
        if (value === undefined && !map.has(key as string)) map.set(key as string, undefined)
        return value
      },
      write: ([key], value, frame) => void array(frame).set(key as string, value),
    }
  }
  const { name } = target
  if (compiler.isArray(name)) throw new Failure(`attempt to use array \`${name}' in a scalar context`, 2)
  const local = compiler.scope?.params.indexOf(name) ?? -1
  if (local >= 0) {
    return {
      keys: [],
      read: (_, frame) => scalar(frame[local], name),
      write(_, value, frame) {
        frame[local] = value
      },
    }
  }
  if (name === 'NF') return { keys: [], read: () => runtime.count(), write: (_, value) => runtime.setCount(toNumber(value)) }
  const at = runtime.slot(name)
  const { vars } = runtime
  return {
    keys: [],
    read: () => scalar(vars[at], name),
    write(_, value) {
      vars[at] = value
    },
  }
}

export function arrayAt(frame: Frame, at: number, name: string): AwkArray {
  const kept = frame[at]
  if (kept instanceof Map) return kept
  if (kept !== undefined) throw new Failure(`attempt to use scalar \`${name}' as an array`, 2)
  const array = new AwkArray()
  frame[at] = array
  return array
}

export function scalar(value: Value | AwkArray, name: string): Value {
  if (value instanceof Map) throw new Failure(`attempt to use array \`${name}' in a scalar context`, 2)
  return value
}

/** Returns the name of an argument that must be an array. */
export function nameOf(expr: Expr | undefined): string {
  if (expr?.kind !== 'name') throw new Failure('the argument must be an array', 2)
  return expr.name
}
