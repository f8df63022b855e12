import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { errorWords, hasErrno } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, statOf } from './shared/files.js'
import { modeOf } from './shared/mode.js'
import { checkOperands, parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

export const mkdirCommand: OwnCommand = command('mkdir', { usage: 'mkdir [OPTION]... DIRECTORY...' }, async (args, context) => {
  const given = parseOptions('mkdir', args, 'm|mode= p|parents v|verbose')
  checkOperands('mkdir', given.operands, 1)
  const text = given.value('m')
  const mode = text === undefined ? undefined : modeOf(text, 0o777)
  if (text !== undefined && mode === undefined) throw new Failure(`invalid mode '${text}'`)
  const out = new Printout(context)
  const report = new Report('mkdir', out)
  const made = (name: string): void => void (given.has('v') && out.put(packed(`mkdir: created directory '${name}'\n`)))
  for (const name of given.operands) {
    try {
      if (given.has('p')) await makeParents(context, name, made)
      if (!(given.has('p') && (await statOf(context, name))?.isDirectory)) {
        await context.fs.mkdir(pathOf(context, name))
        made(name)
        if (mode !== undefined) await context.fs.chmod(pathOf(context, name), mode)
      }
    } catch (error) {
      const words = error instanceof Blocked ? 'Not a directory' : hasErrno(error, 'EEXIST') ? 'File exists' : errorWords(error)
      report.fail(`cannot create directory '${error instanceof Blocked ? error.parent : name}': ${words}`)
    }
  }
  return report.result(out.text())
})

/** Thrown if a parent exists but is not a directory. */
class Blocked extends Error {
  readonly parent: string

  constructor(parent: string) {
    super(parent)
    this.parent = parent
  }
}

async function makeParents(context: CommandContext, name: string, made: (name: string) => void): Promise<void> {
  const parts = name.replace(/\/+$/, '').split('/')
  for (let count = 1; count < parts.length; count++) {
    const parent = parts.slice(0, count).join('/')
    if (parts[count - 1] === '') continue
    const there = await statOf(context, parent)
    if (there?.isDirectory) continue
    if (there) throw new Blocked(parent)
    await context.fs.mkdir(pathOf(context, parent))
    made(parent)
  }
}
