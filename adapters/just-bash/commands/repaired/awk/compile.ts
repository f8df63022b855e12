import { Failure } from '../../failure.js'
import type { Regex } from '../regex/regex.js'
import type { Analysis } from './analyze.js'
import { Dice, divide, fill, PLAIN, piecesOf, replaced, sortArray } from './builtins.js'
import { areNow, type Code, type Frame, from, fromAll, fromTwo, later, now, type Step } from './code.js'
import type { Runtime } from './runtime.js'
import type { AwkProgram, Expr, FunctionDef, Target } from './syntax.js'
import { type AwkArray, compareValues, Input, isTrue, toNumber, type Value } from './values.js'

const MAX_DEPTH = 5000

type ArrayOf = (frame: Frame) => AwkArray

/** Where an assignment goes, in two parts: what is computed first, and what then reads and writes. */
interface Place {
  readonly keys: readonly Code[]
  read(keys: readonly Value[], frame: Frame): Value
  write(keys: readonly Value[], value: Value, frame: Frame): void
}

/** Compiles expressions to closures over a runtime. */
export class ExprCompiler {
  readonly runtime: Runtime
  readonly program: AwkProgram
  readonly #analysis: Analysis
  /** Of the function that is being compiled. */
  scope: FunctionDef | undefined
  readonly #bodies = new Map<string, Step>()
  readonly #dice = new Dice()

  constructor(program: AwkProgram, analysis: Analysis, runtime: Runtime) {
    this.program = program
    this.#analysis = analysis
    this.runtime = runtime
  }

  setBody(name: string, body: Step): void {
    this.#bodies.set(name, body)
  }

  /** As a condition: a regular expression alone is matched with the record. */
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
        const place = this.#place(expr)
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
        return this.#call(expr)
      case 'builtin':
        return this.#builtin(expr)
      case 'getline':
        return this.#getline(expr)
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
    return this.#analysis.arrays.has(local ? `${this.scope?.name}/${name}` : name)
  }

  /** Sets a variable. */
  writer(name: string): (value: Value, frame: Frame) => void {
    const place = this.#place({ kind: 'name', name })
    return (value, frame) => place.write([], value, frame)
  }

  /** Several keys are one, with `SUBSEP` between them. */
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

  #place(target: Target): Place {
    const { runtime } = this
    if (target.kind === 'field') {
      return {
        keys: [this.value(target.at)],
        read: ([at]) => runtime.field(Math.trunc(toNumber(at))),
        write: ([at], value) => runtime.setField(Math.trunc(toNumber(at)), value),
      }
    }
    if (target.kind === 'index') {
      const array = this.array(target.array)
      return {
        keys: [this.key(target.keys)],
        read: ([key], frame) => {
          const map = array(frame)
          const value = map.get(key as string)
          // To look at an element makes it.
          if (value === undefined && !map.has(key as string)) map.set(key as string, undefined)
          return value
        },
        write: ([key], value, frame) => void array(frame).set(key as string, value),
      }
    }
    const { name } = target
    if (this.isArray(name)) throw new Failure(`attempt to use array \`${name}' in a scalar context`, 2)
    const local = this.scope?.params.indexOf(name) ?? -1
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

  #assign({ op, target, value }: Extract<Expr, { kind: 'assign' }>): Code {
    const place = this.#place(target)
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
    const place = this.#place(target)
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
    if (op === ' ') return fromTwo(a, b, (x, y) => runtime.text(x) + runtime.text(y))
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

  /** What is given for a regular expression: one, or a text that is compiled when it comes. */
  #regexOf(expr: Expr): { readonly codes: readonly Code[]; pick(values: readonly Value[]): Regex } {
    const { runtime } = this
    const inner = expr.kind === 'group' ? expr.inner : expr
    if (inner.kind === 'regex') {
      const regex = runtime.regex(inner.source)
      return { codes: [], pick: () => regex }
    }
    return { codes: [this.value(expr)], pick: (values) => runtime.regex(runtime.text(values[0])) }
  }

  #call({ name, args }: Extract<Expr, { kind: 'call' }>): Code {
    const { runtime } = this
    const callee = this.program.functions.get(name)
    if (!callee) throw new Failure(`function ${name} never defined`, 2)
    const { params } = callee
    if (args.length > params.length) throw new Failure(`too many arguments in call to ${name}`, 2)
    const arrays = args.map((arg, i): ArrayOf | undefined =>
      arg.kind === 'name' && this.#analysis.arrays.has(`${name}/${params[i]}`) ? this.array(arg.name) : undefined,
    )
    const codes = args.map((arg, i) => (arrays[i] ? now(() => undefined) : this.value(arg)))
    const bodies = this.#bodies
    const enter = (values: Value[], frame: Frame): Frame => {
      if (++runtime.depth > MAX_DEPTH) throw new Failure(`function calls nested deeper than ${MAX_DEPTH}`, 2)
      const own: Frame = values
      arrays.forEach((array, i) => {
        if (array) own[i] = array(frame)
      })
      own.length = params.length
      runtime.returned = undefined
      return own
    }
    const leave = (): Value => {
      runtime.depth--
      const value = runtime.returned
      runtime.returned = undefined
      return value
    }
    if (!this.#analysis.waiting.has(name) && areNow(codes)) {
      const quick: readonly Extract<Code, { waits: false }>[] = codes
      return now((frame) => {
        const own = enter(
          quick.map(({ run }) => run(frame)),
          frame,
        )
        const body = bodies.get(name) as Extract<Step, { waits: false }>
        body.run(own)
        return leave()
      })
    }
    return later(async (frame) => {
      const values: Value[] = []
      for (const { run } of codes) values.push(await run(frame))
      const own = enter(values, frame)
      await runtime.pace.turn(2)
      await bodies.get(name)?.run(own)
      return leave()
    })
  }

  #builtin({ name, args }: Extract<Expr, { kind: 'builtin' }>): Code {
    const { runtime } = this
    const { streams } = runtime
    const first = args[0]
    switch (name) {
      case 'length':
        if (!first) return now(() => PLAIN.length?.(runtime, [runtime.record()]))
        if (first.kind === 'name' && this.isArray(first.name)) {
          const array = this.array(first.name)
          return now((frame) => array(frame).size)
        }
        return from(this.value(first), (value) => PLAIN.length?.(runtime, [value]))
      case 'split':
        return this.#split(args)
      case 'sub':
      case 'gsub':
        return this.#substitute(args, name === 'gsub' ? 0 : 1)
      case 'gensub':
        return this.#gensub(args)
      case 'match':
        return this.#matchCall(args)
      case 'asort':
      case 'asorti': {
        const [source, target] = args.map((arg) => this.array(nameOf(arg)))
        return now((frame) =>
          sortArray(runtime, new Map((source as ArrayOf)(frame)), (target ?? (source as ArrayOf))(frame), name === 'asorti'),
        )
      }
      case 'rand':
        return now(() => this.#dice.next())
      case 'srand':
        return first
          ? from(this.value(first), (value) => this.#dice.seed(toNumber(value)))
          : now(() => this.#dice.seed(Math.floor(runtime.now() / 1000)))
      case 'fflush':
        return now(() => 0)
      case 'system':
      case 'close': {
        const { run } = this.value(first as Expr)
        return later(async (frame) => {
          const text = runtime.text(await run(frame))
          return name === 'system' ? streams.system(text) : streams.close(text)
        })
      }
      default: {
        const plain = PLAIN[name]
        if (!plain) throw new Failure(`function ${name} is not supported in this shell`, 2)
        return fromAll(
          args.map((arg) => this.value(arg)),
          (values) => plain(runtime, values),
        )
      }
    }
  }

  #split([text, target, separator, seps]: readonly Expr[]): Code {
    const { runtime } = this
    const array = this.array(nameOf(target))
    const between = seps ? this.array(nameOf(seps)) : undefined
    const regex = separator?.kind === 'regex' ? separator.source : undefined
    const codes = [this.value(text as Expr), ...(separator && regex === undefined ? [this.value(separator)] : [])]
    return fromAll(codes, ([value, given], frame) => {
      const subject = runtime.text(value)
      if (regex !== undefined) {
        const found: string[] = []
        const parts = runtime.splitBy(subject, regex, found)
        if (between) fill(between(frame), found)
        return fill(array(frame), parts)
      }
      return fill(array(frame), runtime.splitText(subject, given === undefined && !separator ? runtime.textOf('FS') : runtime.text(given)))
    })
  }

  #substitute([regex, replacement, target]: readonly Expr[], which: 0 | 1): Code {
    const { runtime } = this
    const { codes, pick } = this.#regexOf(regex as Expr)
    const inner = target?.kind === 'group' ? target.inner : target
    const place = inner && (inner.kind === 'name' || inner.kind === 'field' || inner.kind === 'index') ? this.#place(inner) : undefined
    const value = inner && !place ? [this.value(inner)] : []
    return fromAll([...codes, this.value(replacement as Expr), ...(place?.keys ?? []), ...value], (values, frame) => {
      const compiled = pick(values)
      const rest = values.slice(codes.length)
      const pieces = piecesOf(runtime.text(rest[0]), false)
      const keys = rest.slice(1)
      const subject = place ? runtime.text(place.read(keys, frame)) : inner ? runtime.text(keys[0]) : runtime.record()
      const { text, count } = replaced(compiled, pieces, subject, which)
      if (count > 0) {
        if (place) place.write(keys, text, frame)
        else if (!inner) runtime.setRecord(text)
      }
      return count
    })
  }

  #gensub([regex, replacement, how, target]: readonly Expr[]): Code {
    const { runtime } = this
    const { codes, pick } = this.#regexOf(regex as Expr)
    const others = [replacement, how, target].flatMap((expr) => (expr ? [this.value(expr)] : []))
    return fromAll([...codes, ...others], (values) => {
      const [pieces, which, text] = values.slice(codes.length)
      const all = /^[gG]/.test(runtime.text(which))
      const subject = target ? runtime.text(text) : runtime.record()
      return replaced(pick(values), piecesOf(runtime.text(pieces), true), subject, all ? 0 : Math.max(1, Math.trunc(toNumber(which)))).text
    })
  }

  #matchCall([text, regex, target]: readonly Expr[]): Code {
    const { runtime } = this
    const { codes, pick } = this.#regexOf(regex as Expr)
    const array = target ? this.array(nameOf(target)) : undefined
    const [start, length] = [runtime.slot('RSTART'), runtime.slot('RLENGTH')]
    return fromAll([...codes, this.value(text as Expr)], (values, frame) => {
      const subject = runtime.text(values[codes.length])
      const found = pick(values).exec(subject)
      const chars = (from: number, to: number): number => PLAIN.length?.(runtime, [subject.slice(from, to)]) as number
      runtime.vars[start] = found ? chars(0, found.index) + 1 : 0
      runtime.vars[length] = found ? chars(found.index, found.end) : -1
      if (array) {
        const map = array(frame)
        map.clear()
        found?.groups.forEach((group, i) => {
          if (group !== undefined) map.set(String(i), new Input(group))
        })
      }
      return runtime.vars[start] as number
    })
  }

  #getline({ from: origin, source, target }: Extract<Expr, { kind: 'getline' }>): Code {
    const { runtime } = this
    const place = target ? this.#place(target) : undefined
    const name = source ? this.value(source) : undefined
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
}

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

function keyText(runtime: Runtime, value: Value): string {
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : runtime.text(value)
}

function arrayAt(frame: Frame, at: number, name: string): AwkArray {
  const kept = frame[at]
  if (kept instanceof Map) return kept
  if (kept !== undefined) throw new Failure(`attempt to use scalar \`${name}' as an array`, 2)
  const array: AwkArray = new Map()
  frame[at] = array
  return array
}

function scalar(value: Value | AwkArray, name: string): Value {
  if (value instanceof Map) throw new Failure(`attempt to use array \`${name}' in a scalar context`, 2)
  return value
}

function nameOf(expr: Expr | undefined): string {
  if (expr?.kind !== 'name') throw new Failure('an array is wanted here', 2)
  return expr.name
}
