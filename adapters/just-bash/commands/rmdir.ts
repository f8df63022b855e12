import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { checkOperands, parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

export const rmdirCommand: OwnCommand = command('rmdir', { usage: 'rmdir [OPTION]... DIRECTORY...' }, async (args, context) => {
  const given = parseOptions('rmdir', args, 'p|parents v|verbose ignore-fail-on-non-empty')
  checkOperands('rmdir', given.operands, 1)
  const out = new Printout(context)
  const report = new Report('rmdir', out)
  for (const name of given.operands) {
    const names = given.has('p') ? withParents(name) : [name]
    for (const [index, each] of names.entries()) {
      if (given.has('v')) out.put(packed(`rmdir: removing directory, '${each}'\n`))
      const words = await removeEmpty(context, each)
      if (words === undefined) continue
      if (!(words === NOT_EMPTY && given.has('ignore-fail-on-non-empty')))
        report.fail(`failed to remove ${index > 0 ? 'directory ' : ''}'${each}': ${words}`)
      break
    }
  }
  return report.result(out.text())
})

const NOT_EMPTY = 'Directory not empty'

function withParents(name: string): string[] {
  const names = [name]
  let at = name.replace(/(.)\/+$/, '$1')
  while (at.includes('/') && at !== '/') {
    at = at.replace(/(.?)\/+[^/]*$/, (_, before: string) => before || '/')
    names.push(at)
  }
  return names
}

/** @returns the error message, if any */
async function removeEmpty(context: CommandContext, name: string): Promise<string | undefined> {
  const path = pathOf(context, name)
  try {
    if (name === '') return 'No such file or directory'
    const stat = await context.fs.lstat(path)
    if (stat.isSymbolicLink && name.endsWith('/')) return 'Symbolic link not followed'
    if (!stat.isDirectory) return 'Not a directory'
    if (/^\/+$/.test(name)) return 'Device or resource busy'
    if (/(?:^|\/)\.\/*$/.test(name)) return 'Invalid argument'
    if ((await context.fs.readdir(path)).length > 0) return NOT_EMPTY
    await context.fs.rm(path)
    return undefined
  } catch (error) {
    if (error instanceof Failure) throw error
    return errorWords(error)
  }
}
