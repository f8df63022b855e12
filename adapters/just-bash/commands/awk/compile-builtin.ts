import { Failure } from '../shared/failure.js'
import { nameOf } from './assignment.js'
import { PLAIN, sortArray } from './builtins.js'
import { type ArrayOf, type Code, from, fromAll, later, now } from './code.js'
import { compileGensub, compileMatch, compileSplit, compileSubstitute } from './compile-matching.js'
import type { Compiler } from './compiler.js'
import type { Expr } from './syntax.js'
import { toNumber } from './values.js'

export function compileBuiltin(compiler: Compiler, { name, args }: Extract<Expr, { kind: 'builtin' }>): Code {
  const { runtime } = compiler
  const { streams } = runtime
  const first = args[0]
  switch (name) {
    case 'length':
      if (!first) return now(() => PLAIN.length?.(runtime, [runtime.record()]))
      if (first.kind === 'name' && compiler.isArray(first.name)) {
        const array = compiler.array(first.name)
        return now((frame) => array(frame).size)
      }
      return from(compiler.value(first), (value) => PLAIN.length?.(runtime, [value]))
    case 'split':
      return compileSplit(compiler, args)
    case 'sub':
    case 'gsub':
      return compileSubstitute(compiler, args, name === 'gsub' ? 0 : 1)
    case 'gensub':
      return compileGensub(compiler, args)
    case 'match':
      return compileMatch(compiler, args)
    case 'asort':
    case 'asorti': {
      const [source, target] = args.map((arg) => compiler.array(nameOf(arg)))
      return later((frame) => sortArray(runtime, (source as ArrayOf)(frame), (target ?? (source as ArrayOf))(frame), name === 'asorti'))
    }
    case 'rand':
      return now(() => compiler.dice.next())
    case 'srand':
      return first
        ? from(compiler.value(first), (value) => compiler.dice.seed(toNumber(value)))
        : now(() => compiler.dice.seed(Math.floor(runtime.now() / 1000)))
    case 'fflush':
      return now(() => {
        streams.release()
        return 0
      })
    case 'system':
    case 'close': {
      const { run } = compiler.value(first as Expr)
      return later(async (frame) => {
        const text = runtime.text(await run(frame))
        return name === 'system' ? streams.system(text) : streams.close(text)
      })
    }
    default: {
      const plain = PLAIN[name]
      if (!plain) throw new Failure(`function ${name} is not supported in this shell`, 2)
      return fromAll(
        args.map((arg) => compiler.value(arg)),
        (values) => plain(runtime, values),
      )
    }
  }
}
