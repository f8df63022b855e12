import { type OwnCommand, printed } from '../shared/command.js'
import { command, optionsLine } from '../shared/failure.js'

const load = (): Promise<typeof import('./run.js')> => import('./run.js')

const USAGE = 'find [-H] [-L] [-P] [-Olevel] [path...] [expression]'

export const findCommand: OwnCommand = command('find', { usage: USAGE }, async (args, context) => {
  // In other positions, the word may be an argument of a predicate or of the command of `-exec`.
  const asked = args.length === 1 || (args.length === 2 && !args[0]?.startsWith('-')) ? args.at(-1) : undefined
  if (asked === '-version' || asked === '--version') return printed('find (GNU findutils) 4.9.0\n')
  if (asked === '-help' || asked === '--help') return printed(`Usage: ${USAGE}\n${optionsLine((await load()).PREDICATES)}`)
  return (await load()).runFind(args, context)
})
