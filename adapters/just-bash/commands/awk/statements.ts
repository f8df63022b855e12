import { pacedSort } from '../shared/bulk.js'
import { Failure } from '../shared/failure.js'
import { type Code, Exit, type Frame, type Outcome, Skip, type Step } from './code.js'
import type { ExprCompiler } from './compile.js'
import type { Runtime } from './runtime.js'
import { sprintf } from './sprintf.js'
import type { Expr, Stmt } from './syntax.js'
import { type AwkArray, compareValues, numberIn, toNumber, type Value } from './values.js'

const quick = (run: (frame: Frame) => Outcome): Step => ({ waits: false, run })
const slow = (run: (frame: Frame) => Promise<Outcome>): Step => ({ waits: true, run })

/** Exit status of the program, which `exit` sets. */
export interface Ending {
  status: Value
}

export function compileStatement(compiler: ExprCompiler, statement: Stmt, ending: Ending): Step {
  const inner = (each: Stmt): Step => compileStatement(compiler, each, ending)
  const { runtime } = compiler
  switch (statement.kind) {
    case 'block':
      return sequence(statement.body.map(inner))
    case 'expr':
      return after(compiler.value(statement.value), () => 'done')
    case 'print':
      return compilePrint(compiler, statement)
    case 'if': {
      const test = compiler.test(statement.test)
      const [then, otherwise] = [inner(statement.then), statement.otherwise ? inner(statement.otherwise) : quick(() => 'done')]
      if (!test.waits && !then.waits && !otherwise.waits) {
        const [check, yes, no] = [test.run, then.run, otherwise.run]
        return quick((frame) => (check(frame) ? yes(frame) : no(frame)))
      }
      return slow(async (frame) => ((await test.run(frame)) ? then.run(frame) : otherwise.run(frame)))
    }
    case 'while':
      return loop(compiler, { test: statement.test, body: inner(statement.body) })
    case 'do':
      return loop(compiler, { test: statement.test, body: inner(statement.body), first: true })
    case 'for': {
      const { init, test, step, body } = statement
      const turns = loop(compiler, { test, body: inner(body), step: step && inner(step) })
      return init ? sequence([inner(init), turns]) : turns
    }
    case 'forIn':
      return forIn(compiler, statement, inner(statement.body))
    case 'break':
    case 'continue': {
      const { kind } = statement
      return quick(() => kind)
    }
    case 'next':
    case 'nextfile': {
      const { kind } = statement
      if (!compiler.scope) return quick(() => kind)
      return quick(() => {
        throw new Skip(kind)
      })
    }
    case 'exit': {
      const leave = (value: Value): Outcome => {
        if (statement.value) ending.status = value
        throw new Exit()
      }
      return statement.value ? after(compiler.value(statement.value), leave) : quick(() => leave(undefined))
    }
    case 'return':
      if (!statement.value) return quick(() => 'return')
      return after(compiler.value(statement.value), (value) => {
        runtime.returned = value
        return 'return'
      })
    case 'delete': {
      const array = compiler.array(statement.array)
      if (!statement.keys) {
        return quick((frame) => {
          array(frame).clear()
          return 'done'
        })
      }
      return afterIn(compiler.key(statement.keys), (key, frame) => {
        array(frame).delete(key as string)
        return 'done'
      })
    }
  }
}

function after(code: Code, body: (value: Value) => Outcome): Step {
  return afterIn(code, body)
}

function afterIn(code: Code, body: (value: Value, frame: Frame) => Outcome): Step {
  if (code.waits) {
    const { run } = code
    return slow(async (frame) => body(await run(frame), frame))
  }
  const { run } = code
  return quick((frame) => body(run(frame), frame))
}

function sequence(steps: readonly Step[]): Step {
  const [only] = steps
  if (steps.length === 1 && only) return only
  if (steps.every((step): step is Extract<Step, { waits: false }> => !step.waits)) {
    return quick((frame) => {
      for (const { run } of steps) {
        const outcome = run(frame)
        if (outcome !== 'done') return outcome
      }
      return 'done'
    })
  }
  return slow(async (frame) => {
    for (const { run } of steps) {
      const outcome = await run(frame)
      if (outcome !== 'done') return outcome
    }
    return 'done'
  })
}

interface Loop {
  readonly test: Expr | undefined
  readonly body: Step
  readonly step?: Step | undefined
  /** Whether the body runs before the first test, as in `do ... while`. */
  readonly first?: boolean
}

/** Compiles a loop. Yields to the event loop regularly, because the program's loop may be endless. */
function loop(compiler: ExprCompiler, { test, body, step, first = false }: Loop): Step {
  const { pace } = compiler.runtime
  const condition = test ? compiler.test(test) : undefined
  return slow(async (frame) => {
    for (let turn = 0; ; turn++) {
      if (condition && !(first && turn === 0)) {
        const goes = condition.waits ? await condition.run(frame) : condition.run(frame)
        if (!goes) return 'done'
      }
      const outcome = body.waits ? await body.run(frame) : body.run(frame)
      if (outcome === 'break') return 'done'
      if (outcome !== 'done' && outcome !== 'continue') return outcome
      if (step?.waits) await step.run(frame)
      else step?.run(frame)
      if (turn % 64 === 63) await pace.turn(64)
    }
  })
}

function forIn(compiler: ExprCompiler, { name, array }: Extract<Stmt, { kind: 'forIn' }>, body: Step): Step {
  const { runtime } = compiler
  const { pace } = runtime
  const map = compiler.array(array)
  const info = compiler.array('PROCINFO')
  const write = compiler.writer(name)
  return slow(async (frame) => {
    let turn = 0
    // Iterate over the keys that existed at the start, except those that were deleted since.
    for (const key of await sortedKeys(map(frame), runtime.text(info(frame).get('sorted_in')), runtime)) {
      if (!map(frame).has(key)) continue
      write(key, frame)
      const outcome = body.waits ? await body.run(frame) : body.run(frame)
      if (outcome === 'break') return 'done'
      if (outcome !== 'done' && outcome !== 'continue') return outcome
      if (++turn % 64 === 0) await pace.turn(64)
    }
    return 'done'
  })
}

function compilePrint(compiler: ExprCompiler, { args, format, to }: Extract<Stmt, { kind: 'print' }>): Step {
  const { runtime } = compiler
  const { streams } = runtime
  const codes = args.map((arg) => compiler.value(arg))
  const text = (values: readonly Value[]): string => {
    if (format) return sprintf(runtime, runtime.text(values[0]), values.slice(1))
    if (values.length === 0) return runtime.record() + runtime.textOf('ORS')
    const [first] = values
    return (
      (values.length === 1 ? runtime.shown(first) : values.map((value) => runtime.shown(value)).join(runtime.textOf('OFS'))) +
      runtime.textOf('ORS')
    )
  }
  const target = to && compiler.value(to.target)
  const waits = codes.some((code) => code.waits) || target?.waits === true
  const put = (line: string, name: Value): Outcome => {
    if (to) streams.write(to.how, runtime.text(name), line)
    else streams.out.put(line)
    return 'done'
  }
  if (!waits) {
    const runs = codes.map(({ run }) => run as (frame: Frame) => Value)
    const name = target?.run as ((frame: Frame) => Value) | undefined
    return quick((frame) => put(text(runs.map((run) => run(frame))), name?.(frame)))
  }
  return slow(async (frame) => {
    const values: Value[] = []
    for (const { run } of codes) values.push(await run(frame))
    return put(text(values), await target?.run(frame))
  })
}

type Entry = readonly [key: string, value: Value]

/** Returns the keys of an array in the order of `PROCINFO["sorted_in"]`. */
async function sortedKeys(array: AwkArray, order: string, runtime: Runtime): Promise<readonly string[]> {
  if (order === '' || order === '@unsorted') return [...array.keys()]
  const [, what, how, direction] = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(order) ?? []
  if (what === undefined || (what === 'ind' && how === 'type'))
    throw new Failure(
      `PROCINFO["sorted_in"] = "${order}" is not supported in this shell: use @ind_str_asc, @ind_num_desc, @val_num_desc and the like`,
      2,
    )
  const format = runtime.textOf('CONVFMT')
  const texts = (a: Value, b: Value): number => compareValues(runtime.text(a), runtime.text(b), format)
  const compare = ([keyA, a]: Entry, [keyB, b]: Entry): number => {
    if (what === 'ind') return (how === 'num' ? numberIn(keyA) - numberIn(keyB) : 0) || texts(keyA, keyB)
    const kind = how === 'type' ? rank(a) - rank(b) : 0
    return kind || (how === 'num' || (how === 'type' && rank(a) === 0) ? toNumber(a) - toNumber(b) : 0) || texts(a, b)
  }
  const sorted = await pacedSort([...array], direction === 'asc' ? compare : (a, b) => compare(b, a), runtime.pace)
  return sorted.map(([key]) => key)
}

/** Returns the rank for sorting: 0 for a number, 1 for a text. So numbers precede texts. */
const rank = (value: Value): number => (typeof value === 'string' || (typeof value === 'object' && value.number === undefined) ? 1 : 0)
