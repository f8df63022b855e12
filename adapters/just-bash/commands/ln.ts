import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, statOf } from './shared/files.js'
import { checkOperands, type Given, parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

export const lnCommand: OwnCommand = command('ln', { usage: 'ln -s [OPTION]... TARGET... [LINK_NAME | DIRECTORY]' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions(
    'ln',
    args,
    's|symbolic f|force n|no-dereference r|relative v|verbose T|no-target-directory t|target-directory=',
  )
  checkOperands('ln', given.operands, 1)
  const { targets, place, into } = await placesOf(given, context)
  // Hard links are not supported. A silent copy would not receive later writes to the other name.
  if (!given.has('s')) {
    throw new Failure(`failed to create hard link '${place}' => '${targets[0]}': Operation not supported. Use ln -s, or cp`)
  }
  const out = new Printout(context)
  const report = new Report('ln', out)
  for (const operand of targets) {
    const name = into ? `${place.replace(/(.)\/+$/, '$1')}/${operand.replace(/\/+$/, '').replace(/^.*\//s, '')}` : place
    const target = given.has('r')
      ? relative(context.fs.resolvePath(context.cwd, name), context.fs.resolvePath(context.cwd, operand))
      : operand
    try {
      await link(context, target, name, given.has('f'))
      if (given.has('v')) out.put(packed(`'${name}' -> '${target}'\n`))
    } catch (error) {
      report.fail(error instanceof Failure ? error.message : `failed to create symbolic link '${name}': ${errorWords(error)}`)
    }
  }
  return report.result(out.text())
}

/** Returns the relative path from the directory of a link to a target. Both given paths are absolute. */
function relative(link: string, target: string): string {
  const [from, to] = [link.split('/').slice(1, -1), target.split('/').slice(1)]
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/')
}

interface Places {
  readonly targets: readonly string[]
  readonly place: string
  readonly into: boolean
}

async function placesOf(given: Given, context: CommandContext): Promise<Places> {
  const { operands } = given
  const folder = given.value('t') ?? (operands.length === 1 ? '.' : undefined)
  if (folder !== undefined) {
    if (!(await statOf(context, folder))?.isDirectory) throw new Failure(`target directory '${folder}': No such file or directory`)
    return { targets: operands, place: folder, into: true }
  }
  const place = operands.at(-1) as string
  const targets = operands.slice(0, -1)
  if (given.has('T')) {
    checkOperands('ln', operands, 2, 2)
    return { targets, place, into: false }
  }
  const isLink = given.has('n') && (await statOf(context, place, false))?.isSymbolicLink === true
  const into = !isLink && (await statOf(context, place))?.isDirectory === true
  if (targets.length > 1 && !into)
    throw new Failure(`target '${place}': ${(await statOf(context, place)) ? 'Not a directory' : 'No such file or directory'}`)
  return { targets, place, into }
}

async function link(context: CommandContext, target: string, name: string, force: boolean): Promise<void> {
  const { fs } = context
  const path = pathOf(context, name)
  const there = await statOf(context, name, false)
  if (there && force) {
    if (there.isDirectory) throw new Failure(`'${name}': cannot overwrite directory`)
    // The link would replace its own target.
    if (fs.resolvePath(path.replace(/\/[^/]*$/, '') || '/', target) === path)
      throw new Failure(`'${target}' and '${name}' are the same file`)
    return fs.replace(path, { target })
  }
  await fs.symlink(target, path)
}
