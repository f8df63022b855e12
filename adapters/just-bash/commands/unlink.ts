import type { OwnCommand } from './shared/command.js'
import { failed, printed } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, statOf, told } from './shared/files.js'
import { checkOperands, parseOptions } from './shared/options.js'

export const unlinkCommand: OwnCommand = command('unlink', { usage: 'unlink FILE' }, async (args, context) => {
  const { operands } = parseOptions('unlink', args, 'version')
  checkOperands('unlink', operands, 1, 1)
  const name = operands[0] as string
  const { isDirectory } = await context.fs.lstat(pathOf(context, name)).catch(() => {
    throw new Failure(`cannot unlink '${name}': No such file or directory`)
  })
  if (isDirectory) throw new Failure(`cannot unlink '${name}': Is a directory`)
  await told(`cannot unlink '${name}'`, () => context.fs.rm(pathOf(context, name)))
  return printed('')
})

/** Only checks the names, because the storage itself decides when writes are durable. */
export const syncCommand: OwnCommand = command('sync', { usage: 'sync [OPTION] [FILE]...' }, async (args, context) => {
  const { operands } = parseOptions('sync', args, 'd|data f|file-system')
  for (const name of operands)
    if (!(await statOf(context, name))) return failed(`sync: error opening '${name}': No such file or directory\n`)
  return printed('')
})
