import { textOf } from '../shared/bytes.js'
import type { OwnCommand } from '../shared/command.js'
import { command, Failure } from '../shared/failure.js'

const load = (): Promise<typeof import('./run.js')> => import('./run.js')

const USAGE = "Usage: apply_patch 'PATCH'\n       echo 'PATCH' | apply_patch"

/** Reads the patch from the only argument, or from standard input. */
export const applyPatchCommand: OwnCommand = command('apply_patch', { usage: USAGE.slice('Usage: '.length) }, async (args, context) => {
  if (args.length > 1) throw new Failure(`expected one argument, the whole patch in quotes\n${USAGE}`, 2)
  const patch = args[0] ?? textOf(context.stdin)
  if (patch.trim() === '') throw new Failure(`there is no patch\n${USAGE}`, 2)
  return (await load()).applyPatch(patch, context)
})
