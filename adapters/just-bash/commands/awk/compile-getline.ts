import { type Code, later } from './code.js'
import type { Compiler } from './compiler.js'
import { compilePlace } from './places.js'
import type { Expr } from './syntax.js'
import { Input, toNumber, type Value } from './values.js'

export function compileGetline(compiler: Compiler, { from: origin, source, target }: Extract<Expr, { kind: 'getline' }>): Code {
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
