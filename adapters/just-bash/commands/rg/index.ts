import { type OwnCommand, printed } from '../shared/command.js'
import { command } from '../shared/failure.js'

const load = (): Promise<typeof import('./run.js')> => import('./run.js')

export const rgCommand: OwnCommand = command('rg', { status: 2, usage: 'rg [OPTIONS] PATTERN [PATH ...]' }, async (args, context) => {
  if (args[0] === '--version') return printed('ripgrep 13.0.0, as a virtual bash has it\n')
  return (await load()).runRg(args, context)
})
