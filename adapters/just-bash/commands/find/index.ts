import { type OwnCommand, printed } from '../command.js'
import { command, optionsLine } from '../failure.js'

/** Loaded with the first call. */
const load = (): Promise<typeof import('./run.js')> => import('./run.js')

const USAGE = 'find [-H] [-L] [-P] [-Olevel] [path...] [expression]'

export const findCommand: OwnCommand = command('find', { usage: USAGE }, async (args, context) => {
  if (args.includes('-version') || args.includes('--version')) return printed('find (GNU findutils) 4.9.0\n')
  if (args.includes('-help') || args.includes('--help')) return printed(`Usage: ${USAGE}\n${optionsLine((await load()).PREDICATES)}`)
  return (await load()).runFind(args, context)
})
