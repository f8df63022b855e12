import type { CommandContext, OwnResult } from '../shared/command.js'
import { Failure } from '../shared/failure.js'
import { portOf } from '../shared/port.js'
import { Output } from './output.js'
import { parse } from './parse.js'
import { Quit, Walk } from './walk.js'

export { PREDICATES } from './parse.js'

export async function runFind(args: readonly string[], given: CommandContext): Promise<OwnResult> {
  const fs = portOf(given)?.fs
  const context: CommandContext = fs ? Object.create(given, { fs: { value: fs } }) : given
  const output = new Output(context)
  try {
    const { starts, test, options, launcher } = await parse(args, context, output)
    await output.open()
    const walk = new Walk({ context, output, launcher, options, test })
    try {
      for (const start of starts) await walk.from(start)
    } catch (error) {
      if (!(error instanceof Quit)) throw error
    }
    await launcher.finish()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    output.fail(error.message)
  }
  return output.result()
}
