import { Failure } from '../shared/failure.js'
import { type ArrayOf, areNow, type Code, type Frame, later, now, type Step } from './code.js'
import type { Compiler } from './compiler.js'
import type { Expr } from './syntax.js'
import type { Value } from './values.js'

const MAX_DEPTH = 5000

/** Compiles a call of a function that the program defines. */
export function compileCall(compiler: Compiler, { name, args }: Extract<Expr, { kind: 'call' }>): Code {
  const { runtime } = compiler
  const callee = compiler.program.functions.get(name)
  if (!callee) throw new Failure(`function ${name} never defined`, 2)
  const { params } = callee
  if (args.length > params.length) throw new Failure(`too many arguments in call to ${name}`, 2)
  const arrays = args.map((arg, i): ArrayOf | undefined =>
    arg.kind === 'name' && compiler.analysis.arrays.has(`${name}/${params[i]}`) ? compiler.array(arg.name) : undefined,
  )
  const codes = args.map((arg, i) => (arrays[i] ? now(() => undefined) : compiler.value(arg)))
  const bodies = compiler.bodies
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
  if (!compiler.analysis.waiting.has(name) && areNow(codes)) {
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
