import { Failure } from '../commands/shared/failure.js'
import { parseOptions } from '../commands/shared/options.js'
import type { BuiltinCall } from '../hooks.js'
import type { CommandResult, Context } from '../library-types.js'
import { readsInput, toEnd, without } from './read.js'

/** Runs `mapfile`: waits for the end of the input. Lines that `mapfile` does not use stay for the next reader. */
export async function mapfileBuiltin(context: Context, call: BuiltinCall): Promise<CommandResult | null> {
  const args = plainArgs(call)
  if (typeof args !== 'object') return { stdout: '', stderr: `bash: ${args}\n`, exitCode: 2 }
  if (call.owned && call.stdin === '' && !args.includes('-u')) return without(context, () => call.run('', args))
  const { input } = context.place.process
  if (!readsInput(context, call) || args.includes('-u')) return call.run(call.stdin, args)
  if (input) await toEnd(context, input)
  const text = input?.takeAll() ?? ''
  const result = await without(context, () => call.run(text, args))
  input?.putBack(text.slice(result?.internalStdinConsumed ?? text.length))
  return result
}

/** Separates combined options, because the library ignores `-td ''`. Returns a string for an error. */
function plainArgs({ name, args }: BuiltinCall): readonly string[] | string {
  try {
    const given = parseOptions(name, args, 'd= n= O= s= t u= C= c=', { stopAtOperand: true, hint: `${name}: usage: ${USAGE}` })
    if (given.last('C', 'c')) return `${name}: -C and -c are not supported in this shell: work through the array in a loop`
    for (const id of ['n', 'O', 's', 'u']) {
      const value = given.value(id)
      if (value !== undefined && !/^\d+$/.test(value)) return `${name}: ${value}: ${WRONG[id]}`
    }
    return [...given.options.flatMap(({ id, value }) => (value === undefined ? [`-${id}`] : [`-${id}`, value])), ...given.operands]
  } catch (error) {
    if (error instanceof Failure) return `${name}: ${error.message}`
    throw error
  }
}

const USAGE = 'mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [array]'
const WRONG: Readonly<Record<string, string>> = {
  n: 'invalid line count',
  O: 'invalid array origin',
  s: 'invalid line count',
  u: 'invalid file descriptor specification',
}
