import type { OwnCommand } from '../shared/command.js'
import { command } from '../shared/failure.js'

const load = (): Promise<typeof import('./run.js')> => import('./run.js')

export const tarCommand: OwnCommand = command('tar', { usage: 'tar [OPTION...] [FILE]...', status: 2 }, async (args, context) =>
  (await load()).runTar(args, context),
)
