import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { errorWords, hasErrno } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, statOf } from './shared/files.js'
import { modeOf } from './shared/mode.js'
import { type Given, parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

const HINT = "Try 'install --help' for more information."
const SPECS = 'c C|compare d|directory D m|mode= p|preserve-timestamps t|target-directory= T|no-target-directory v|verbose'

export const installCommand: OwnCommand = command(
  'install',
  {
    usage:
      'install [OPTION]... [-T] SOURCE DEST\n  or:  install [OPTION]... SOURCE... DIRECTORY\n  or:  install [OPTION]... -d DIRECTORY...',
  },
  async (args, context) => {
    const given = parseOptions('install', args, SPECS)
    const text = given.value('m') ?? '0755'
    const mode = modeOf(text)
    if (mode === undefined) throw new Failure(`invalid mode '${text}'`)
    const steps = given.has('d') ? given.operands.map(directoryStep) : await copySteps(given, context)
    if (steps.length === 0) throw new Failure(`missing file operand\n${HINT}`)
    const out = new Printout(context)
    const report = new Report('install', out)
    for (const step of steps) {
      try {
        const lines = await step({ context, given, mode })
        if (given.has('v')) out.put(packed(lines))
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        report.fail(error.message)
      }
    }
    return report.result(out.text())
  },
)

interface Work {
  readonly context: CommandContext
  readonly given: Given
  readonly mode: number
}

/** One directory or file to install. Resolves to the output of `-v`. */
type Step = (work: Work) => Promise<string>

function directoryStep(name: string): Step {
  return async ({ context, mode }) => {
    const lines = await makeAll(context, name)
    await context.fs.chmod(pathOf(context, name), mode).catch(() => undefined)
    return lines
  }
}

async function copySteps(given: Given, context: CommandContext): Promise<Step[]> {
  const target = given.value('t')
  const names = [...given.operands]
  if (target !== undefined) return names.map((name) => copyStep(name, inFolder(target, name), given.has('D') ? target : undefined))
  const last = names.pop()
  if (last === undefined) return []
  if (names.length === 0) throw new Failure(`missing destination file operand after '${last}'\n${HINT}`)
  const isFolder = !given.has('T') && (await statOf(context, last))?.isDirectory === true
  if (given.has('T') && names.length > 1) throw new Failure(`extra operand '${names[1]}'\n${HINT}`)
  if (names.length > 1 && !isFolder) throw new Failure(`target '${last}' is not a directory`)
  if (isFolder) return names.map((name) => copyStep(name, inFolder(last, name)))
  const parent = last.replace(/\/*[^/]+\/*$/, '') || (last.startsWith('/') ? '/' : '.')
  return [copyStep(names[0] as string, last, given.has('D') ? parent : undefined)]
}

const inFolder = (folder: string, name: string): string =>
  `${folder.replace(/\/$/, '')}/${name.split('/').findLast((part) => part !== '') ?? ''}`

function copyStep(from: string, to: string, folder?: string): Step {
  return async ({ context, given, mode }) => {
    const { fs } = context
    const stat = await statOf(context, from)
    if (!stat) throw new Failure(`cannot stat '${from}': No such file or directory`)
    if (stat.isDirectory) throw new Failure(`omitting directory '${from}'`)
    const made = folder === undefined ? '' : await makeAll(context, folder)
    const path = pathOf(context, to)
    const there = await statOf(context, to)
    if (there?.isDirectory) throw new Failure(`cannot overwrite directory '${to}' with non-directory`)
    if (there?.identity !== undefined && there.identity === stat.identity) throw new Failure(`'${from}' and '${to}' are the same file`)
    try {
      const content = await fs.readFileBuffer(pathOf(context, from))
      // A symlink at the destination is replaced, not followed. The old file is not removed first, so that it survives a failed write.
      const isLink = there !== undefined && (await fs.lstat(path)).isSymbolicLink
      await (isLink ? fs.replace(path, { content }) : fs.writeFile(path, content))
      await fs.chmod(path, mode).catch(() => undefined)
      if (given.has('p')) await fs.utimes(path, stat.mtime, stat.mtime).catch(() => undefined)
    } catch (error) {
      throw new Failure(`cannot create regular file '${to}': ${errorWords(error)}`)
    }
    return `${made}${there ? `removed '${to}'\n` : ''}'${from}' -> '${to}'\n`
  }
}

/** Creates a directory with its parents. Returns one line for each directory that was created. */
async function makeAll(context: CommandContext, name: string): Promise<string> {
  const { fs } = context
  let lines = ''
  const parts = name.split('/')
  for (let i = 1; i <= parts.length; i++) {
    const at = parts.slice(0, i).join('/')
    if (at === '' || parts[i - 1] === '') continue
    try {
      await fs.mkdir(pathOf(context, at))
      lines += `install: creating directory '${at}'\n`
    } catch (error) {
      if (hasErrno(error, 'EEXIST') && (await statOf(context, at))?.isDirectory) continue
      throw new Failure(`cannot create directory '${at}': ${hasErrno(error, 'EEXIST') ? 'File exists' : errorWords(error)}`)
    }
  }
  return lines
}
