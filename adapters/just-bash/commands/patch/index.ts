import type { OwnCommand } from '../shared/command.js'
import { command } from '../shared/failure.js'

const load = (): Promise<typeof import('./run.js')> => import('./run.js')

export const patchCommand: OwnCommand = command(
  'patch',
  { usage: 'patch [OPTION]... [ORIGFILE [PATCHFILE]]', status: 2 },
  async (args, context) => (await load()).runPatch(args, context),
)
