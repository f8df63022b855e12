import { Failure } from '../shared/failure.js'
import type { Analysis } from './analyze.js'
import { arrayAt, compilePlace, scalar } from './assignment.js'
import { Dice, divide } from './builtins.js'
import { type ArrayOf, type Code, type Frame, from, fromAll, fromTwo, later, now, type Step } from './code.js'
import { compileBuiltin } from './compile-builtin.js'
import { compileCall } from './compile-call.js'
import type { Compiler } from './compiler.js'
import type { Runtime } from './runtime.js'
import type { AwkProgram, Expr, FunctionDef } from './syntax.js'
import { bounded, compareValues, Input, isTrue, toNumber, type Value } from './values.js'

/** Compiles expressions to closures over a runtime. */
export class ExprCompiler implements Compiler {
  readonly runtime: Runtime
  readonly program: AwkProgram
  readonly analysis: Analysis
  scope: FunctionDef | undefined
  readonly bodies: ReadonlyMap<string, Step>
  readonly dice: Dice = new Dice()
  readonly #bodies = new Map<string, Step>()

  constructor(program: AwkProgram, analysis: Analysis, runtime: Runtime) {
    this.program = program
    this.analysis = analysis
    this.runtime = runtime
    this.bodies = this.#bodies
  }

  setBody(name: string, body: Step): void {
    this.#bodies.set(name, body)
  }

  /** Compiles a condition. A regex literal alone is matched against the record. */
  test(
    expr: Expr,
  ):
    | { readonly waits: false; readonly run: (frame: Frame) => boolean }
    | { readonly waits: true; readonly run: (frame: Frame) => Promise<boolean> } {
    const code = this.value(expr)
    if (code.waits) {
      const { run } = code
      return { waits: true, run: async (frame) => isTrue(await run(frame)) }
    }
    const { run } = code
    return { waits: false, run: (frame) => isTrue(run(frame)) }
  }

  value(expr: Expr): Code {
    const { runtime } = this
    switch (expr.kind) {
      case 'number':
      case 'string': {
        const { value } = expr
        return now(() => value)
      }
      case 'regex': {
        const regex = runtime.regex(expr.source)
        return now(() => Number(regex.test(runtime.record())))
      }
      case 'group':
        return this.value(expr.inner)
      case 'name':
        return this.#name(expr.name)
      case 'field': {
        if (expr.at.kind === 'number') {
          const at = expr.at.value
          return now(() => runtime.field(at))
        }
        return from(this.value(expr.at), (at) => {
          const index = Math.trunc(toNumber(at))
          if (index < 0) throw new Failure(`attempt to access field ${index}`, 2)
          return runtime.field(index)
        })
      }
      case 'index': {
        const place = compilePlace(this, expr)
        return fromAll(place.keys, (keys, frame) => place.read(keys, frame))
      }
      case 'assign':
        return this.#assign(expr)
      case 'step':
        return this.#step(expr)
      case 'unary':
        return this.#unary(expr)
      case 'binary':
        return this.#binary(expr)
      case 'choice':
        return this.#choice(expr)
      case 'match':
        return this.#match(expr)
      case 'in': {
        const array = this.array(expr.array)
        const key = this.key(expr.keys)
        if (key.waits) {
          const { run } = key
          return later(async (frame) => Number(array(frame).has((await run(frame)) as string)))
        }
        const { run } = key
        return now((frame) => Number(array(frame).has(run(frame) as string)))
      }
      case 'call':
        return compileCall(this, expr)
      case 'builtin':
        return compileBuiltin(this, expr)
      case 'getline':
        return compileGetline(this, expr)
      case 'list':
        return this.key(expr.items)
    }
  }

  array(name: string): ArrayOf {
    const local = this.scope?.params.indexOf(name) ?? -1
    const { vars } = this.runtime
    const at = local >= 0 ? local : this.runtime.slot(name)
    if (local >= 0) return (frame) => arrayAt(frame, at, name)
    return () => arrayAt(vars, at, name)
  }

  isArray(name: string): boolean {
    const local = this.scope?.params.includes(name)
    return this.analysis.arrays.has(local ? `${this.scope?.name}/${name}` : name)
  }

  writer(name: string): (value: Value, frame: Frame) => void {
    const place = compilePlace(this, { kind: 'name', name })
    return (value, frame) => place.write([], value, frame)
  }

  key(keys: readonly Expr[]): Code {
    const { runtime } = this
    const [only] = keys
    if (keys.length === 1 && only) return from(this.value(only), (value) => keyText(runtime, value))
    return fromAll(
      keys.map((key) => this.value(key)),
      (values) => values.map((value) => keyText(runtime, value)).join(runtime.textOf('SUBSEP')),
    )
  }

  #name(name: string): Code {
    const { runtime } = this
    const local = this.scope?.params.indexOf(name) ?? -1
    if (local >= 0) return now((frame) => scalar(frame[local], name))
    if (name === 'NF') return now(() => runtime.count())
    if (name in this.#functionNames()) throw new Failure(`function name "${name}" used as a variable`, 2)
    const at = runtime.slot(name)
    const { vars } = runtime
    return now(() => scalar(vars[at], name))
  }

  #functionNames(): Readonly<Record<string, true>> {
    return Object.fromEntries([...this.program.functions.keys()].map((name) => [name, true]))
  }

  #assign({ op, target, value }: Extract<Expr, { kind: 'assign' }>): Code {
    const place = compilePlace(this, target)
    const right = this.value(value)
    const compute = op === '' ? undefined : arithmetic(op)
    if (!compute && place.keys.length === 0 && !right.waits) {
      const { run } = right
      return now((frame) => {
        const result = run(frame)
        place.write([], result, frame)
        return result
      })
    }
    return fromAll([...place.keys, right], (values, frame) => {
      const given = values.pop()
      const result = compute ? compute(toNumber(place.read(values, frame)), toNumber(given)) : given
      place.write(values, result, frame)
      return result
    })
  }

  #step({ by, before, target }: Extract<Expr, { kind: 'step' }>): Code {
    const place = compilePlace(this, target)
    return fromAll(place.keys, (keys, frame) => {
      const old = toNumber(place.read(keys, frame))
      place.write(keys, old + by, frame)
      return before ? old + by : old
    })
  }

  #unary({ op, value }: Extract<Expr, { kind: 'unary' }>): Code {
    const inner = this.value(value)
    if (op === '!') return from(inner, (each) => Number(!isTrue(each)))
    return from(inner, op === '-' ? (each) => -toNumber(each) : (each) => toNumber(each))
  }

  #binary({ op, left, right }: Extract<Expr, { kind: 'binary' }>): Code {
    if (op === '&&' || op === '||') return this.#logical(op, left, right)
    const [a, b] = [this.value(left), this.value(right)]
    const { runtime } = this
    if (op === ' ') return fromTwo(a, b, (x, y) => bounded(runtime.text(x) + runtime.text(y)))
    const compare = COMPARISONS[op]
    if (compare) return fromTwo(a, b, (x, y) => Number(compare(compareValues(x, y, runtime.textOf('CONVFMT')))))
    const compute = arithmetic(op)
    return fromTwo(a, b, (x, y) => compute(toNumber(x), toNumber(y)))
  }

  #logical(op: '&&' | '||', left: Expr, right: Expr): Code {
    const [a, b] = [this.test(left), this.test(right)]
    const stop = op === '||'
    if (!a.waits && !b.waits) {
      const [first, second] = [a.run, b.run]
      return now((frame) => Number(first(frame) === stop ? stop : second(frame)))
    }
    return later(async (frame) => Number((await a.run(frame)) === stop ? stop : await b.run(frame)))
  }

  #choice({ test, then, otherwise }: Extract<Expr, { kind: 'choice' }>): Code {
    const condition = this.test(test)
    const [a, b] = [this.value(then), this.value(otherwise)]
    if (!condition.waits && !a.waits && !b.waits) {
      const [check, yes, no] = [condition.run, a.run, b.run]
      return now((frame) => (check(frame) ? yes(frame) : no(frame)))
    }
    return later(async (frame) => ((await condition.run(frame)) ? a.run(frame) : b.run(frame)))
  }

  #match({ negated, text, regex }: Extract<Expr, { kind: 'match' }>): Code {
    const { runtime } = this
    const subject = this.value(text)
    if (regex.kind === 'regex') {
      const compiled = runtime.regex(regex.source)
      return from(subject, (value) => Number(compiled.test(runtime.text(value)) !== negated))
    }
    return fromTwo(subject, this.value(regex), (value, source) =>
      Number(runtime.regex(runtime.text(source)).test(runtime.text(value)) !== negated),
    )
  }
}

function keyText(runtime: Runtime, value: Value): string {
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : runtime.text(value)
}

/** Comparison operators as tests of `compareValues`: the result is -1, 0 or 1, or another number if NaN makes the values incomparable. */
const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order === -1,
  '<=': (order) => order === -1 || order === 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order === 1,
  '>=': (order) => order === 1 || order === 0,
}

function arithmetic(op: string): (a: number, b: number) => number {
  switch (op) {
    case '+':
      return (a, b) => a + b
    case '-':
      return (a, b) => a - b
    case '*':
      return (a, b) => a * b
    case '/':
      return (a, b) => divide(a, b, '')
    case '%':
      return (a, b) => divide(a, b, ' in %')
    default:
      return (a, b) => a ** b
  }
}

function compileGetline(compiler: Compiler, { from: origin, source, target }: Extract<Expr, { kind: 'getline' }>): Code {
  const { runtime } = compiler
  const place = target ? compilePlace(compiler, target) : undefined
  const name = source ? compiler.value(source) : undefined
  const nr = runtime.slot('NR')
  return later(async (frame) => {
    await runtime.pace.turn(2)
    const keys: Value[] = []
    for (const { run } of place?.keys ?? []) keys.push(await run(frame))
    let record: string | undefined
    if (!name) record = await runtime.nextRecord()
    else {
      const text = runtime.text(await name.run(frame))
      const reader =
        origin === 'file'
          ? await runtime.streams.readerOfFile(text === '-' ? '/dev/stdin' : text)
          : await runtime.streams.readerOfCommand(text)
      if (!reader) return -1
      record = runtime.recordFrom(reader)
      if (record !== undefined && origin === 'command') runtime.vars[nr] = toNumber(runtime.vars[nr] as Value) + 1
    }
    if (record === undefined) return 0
    if (place) place.write(keys, new Input(record), frame)
    else runtime.setRecord(record)
    return 1
  })
}
