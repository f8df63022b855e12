import { ignoreCodes } from '../../../src/errors/index.js'
import type { BashEntry, BashStat } from '../../../src/workspace/facades/to-bash-fs.js'
import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { Asker } from './shared/confirmation.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { checkChoice, type Given, parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

const CP =
  'r|R|recursive a|archive f|force i|interactive n|no-clobber p u|update=? v|verbose t|target-directory= T|no-target-directory l|link! ' +
  's|symbolic-link L|dereference P|no-dereference H d parents x|one-file-system! preserve=? no-preserve= remove-destination b|backup=?! ' +
  'S|suffix=! strip-trailing-slashes reflink=? sparse= attributes-only! Z|context=?!'
const MV =
  'f|force i|interactive n|no-clobber u|update=? v|verbose t|target-directory= T|no-target-directory b|backup=?! S|suffix=! strip-trailing-slashes Z|context!'

export const cpCommand: OwnCommand = command('cp', { usage: 'cp [OPTION]... SOURCE... DEST' }, (args, context) => run('cp', args, context))
export const mvCommand: OwnCommand = command('mv', { usage: 'mv [OPTION]... SOURCE... DEST' }, (args, context) => run('mv', args, context))

const KEPT: ReadonlySet<string> = new Set(['mode', 'timestamps', 'ownership', 'links', 'context', 'xattr', 'all'])

interface Work {
  readonly name: 'cp' | 'mv'
  readonly given: Given
  readonly context: CommandContext
  readonly report: Report
  readonly asker: Asker
  readonly out: Printout
  readonly seen: Set<string>
}

async function run(name: 'cp' | 'mv', args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions(name, args, name === 'cp' ? CP : MV)
  for (const id of ['b', 'S', 'l', 'x', 'attributes-only', 'Z']) {
    if (given.has(id)) throw new Failure(`the option '${id.length === 1 ? '-' : '--'}${id}' is not supported in this shell`)
  }
  checkChoice(given, ['sparse', '--sparse'], 'auto always never')
  checkChoice(given, ['reflink', '--reflink'], 'auto always never')
  for (const id of ['preserve', 'no-preserve']) {
    const wrong = given
      .values(id)
      .flatMap((list) => list.split(','))
      .find((what) => !KEPT.has(what))
    if (wrong !== undefined) throw new Failure(`invalid argument '${wrong}' for '--${id}'\nValid arguments are: ${[...KEPT].join(', ')}`)
  }
  const update = given.value('u')
  if (update !== undefined && update !== 'older') throw new Failure(`--update=${update} is not supported in this shell`)
  const out = new Printout(context)
  const report = new Report(name, out)
  const work: Work = { name, given, context, report, asker: new Asker(context, report), out, seen: new Set() }
  const { sources, target, into } = await placesOf(work)
  for (const each of sources) {
    const source = given.has('strip-trailing-slashes') ? each.replace(/(.)\/+$/, '$1') : each
    try {
      await transfer(work, source, into ? await inside(work, target, source) : target)
    } catch (error) {
      report.fail(error instanceof Failure ? error.message : `cannot ${name === 'cp' ? 'copy' : 'move'} '${source}': ${errorWords(error)}`)
    }
  }
  return report.result(out.text())
}

async function placesOf({ given, context, name }: Work): Promise<{ sources: readonly string[]; target: string; into: boolean }> {
  const folder = given.value('t')
  const { operands } = given
  const help = `\nTry '${name} --help' for more information.`
  if (operands.length === 0) throw new Failure(`missing file operand${help}`)
  if (folder !== undefined) {
    if (!(await statOrNone(context, folder))?.isDirectory) throw new Failure(`target directory '${folder}': No such file or directory`)
    return { sources: operands, target: folder, into: true }
  }
  if (operands.length === 1) throw new Failure(`missing destination file operand after '${operands[0]}'${help}`)
  const sources = operands.slice(0, -1)
  const target = operands.at(-1) as string
  if (given.has('T')) {
    if (sources.length > 1) throw new Failure(`extra operand '${operands[2]}'${help}`)
    return { sources, target, into: false }
  }
  const found = await statOrNone(context, target)
  if (found?.isDirectory) return { sources, target, into: true }
  if (sources.length > 1) throw new Failure(found ? `target '${target}': Not a directory` : `target '${target}': No such file or directory`)
  if (given.has('parents')) throw new Failure('with --parents, the destination must be a directory')
  return { sources, target, into: false }
}

const statOrNone = (context: CommandContext, name: string): Promise<BashStat | undefined> =>
  context.fs.stat(pathOf(context, name)).catch(() => undefined)

const joined = (folder: string, name: string): string => (folder.endsWith('/') ? folder + name : `${folder}/${name}`)

/**
 * Returns the destination path for a source that goes into the directory `target`. With `--parents`, creates missing parent directories.
 */
async function inside({ given, context, out }: Work, target: string, source: string): Promise<string> {
  if (!given.has('parents')) {
    const base = source.replace(/\/+$/, '').replace(/^.*\//, '')
    return base === '.' || base === '..' ? joined(target, base) : joined(target, base)
  }
  const name = source.replace(/\/+$/, '').replace(/^\/+/, '')
  const folders = name.split('/').slice(0, -1)
  folders.forEach((_, i) => {
    if (given.has('v')) out.put(packed(`${folders.slice(0, i + 1).join('/')} -> ${joined(target, folders.slice(0, i + 1).join('/'))}\n`))
  })
  if (folders.length > 0) await context.fs.mkdir(pathOf(context, joined(target, folders.join('/'))), { recursive: true })
  return joined(target, name)
}

async function transfer(work: Work, source: string, target: string): Promise<void> {
  const { given, context, name } = work
  const from = pathOf(context, source)
  const stat = await lookAt(work, source, true)
  const to = pathOf(context, target)
  if (target.endsWith('/') && !stat.isDirectory && !(await statOrNone(context, target))?.isDirectory) {
    throw new Failure(`cannot ${name === 'cp' ? 'create regular file' : `move '${source}' to`} '${target}': Not a directory`)
  }
  if (name === 'cp') {
    if (stat.isDirectory && !recursive(given)) throw new Failure(`-r not specified; omitting directory '${source}'`)
    if (stat.isDirectory && from !== to && (await isInside(context, from, to)))
      throw new Failure(`cannot copy a directory, '${source}', into itself, '${target}'`)
    await copy(work, source, target, stat, true)
    return
  }
  if (from === to || (stat.isDirectory && (await isInside(context, from, to)))) {
    throw new Failure(
      from === to ? `'${source}' and '${target}' are the same file` : `cannot move '${source}' to a subdirectory of itself, '${target}'`,
    )
  }
  const there = await context.fs.lstat(to).catch(() => undefined)
  if (there) {
    // Moving a symlink onto its own target would leave only a broken symlink.
    if (stat.isSymbolicLink && (await realOf(context, from)) === (await realOf(context, to)))
      throw new Failure(`'${source}' and '${target}' are the same file`)
    if (work.seen.has(to)) throw new Failure(`will not overwrite just-created '${target}' with '${source}'`)
    if (there.isDirectory && !stat.isDirectory) throw new Failure(`cannot overwrite directory '${target}' with non-directory`)
    if (!there.isDirectory && stat.isDirectory) throw new Failure(`cannot overwrite non-directory '${target}' with directory '${source}'`)
    if (there.isDirectory && (await context.fs.readdir(to)).length > 0)
      throw new Failure(`cannot move '${source}' to '${target}': Directory not empty`)
    if (!mayReplace(work, target, stat, there)) return
  } else if (!(await hasFolder(context, to))) throw new Failure(`cannot move '${source}' to '${target}': No such file or directory`)
  await context.fs.mv(from, to)
  work.seen.add(to)
  if (given.has('v')) work.out.put(packed(`renamed '${source}' -> '${target}'\n`))
}

const realOf = ({ fs }: CommandContext, path: string): Promise<string> => fs.realpath(path).catch(() => path)

/** Whether a path is inside a directory, also through symlinks. Copying a directory into itself would never end. */
async function isInside(context: CommandContext, folder: string, path: string): Promise<boolean> {
  const [, parent = '', name = ''] = /^(.*)\/([^/]*)$/s.exec(path) ?? []
  const real = `${(await realOf(context, parent || '/')).replace(/\/$/, '')}/${name}`
  return `${real}/`.startsWith(`${(await realOf(context, folder)).replace(/\/$/, '')}/`)
}

async function hasFolder(context: CommandContext, path: string): Promise<boolean> {
  return (await context.fs.stat(path.replace(/\/[^/]*$/, '') || '/').catch(() => undefined))?.isDirectory === true
}

const recursive = (given: Given): boolean => given.has('r') || given.has('a')

/**
 * Whether to copy the target of a symlink instead of the symlink. `named`: the symlink is an operand, not an entry below a directory
 * operand.
 */
function follows(given: Given, named: boolean): boolean {
  const last = given.last('L', 'P', 'd', 'a', 'H')
  if (last === 'L') return true
  if (last === 'H') return named
  if (last !== undefined) return false
  return !recursive(given)
}

async function lookAt({ given, context, name }: Work, source: string, named: boolean): Promise<BashStat> {
  const path = pathOf(context, source)
  const follow = name === 'cp' && follows(given, named)
  try {
    const folder = /(?:^|\/)\.{0,2}$/.test(source)
    if (name === 'mv' && folder && (await context.fs.lstat(path)).isSymbolicLink)
      throw new Failure(`cannot move '${source}': Not a directory`)
    const stat = await (follow || folder ? context.fs.stat(path) : context.fs.lstat(path))
    if (folder && !stat.isDirectory) throw new Failure(`cannot stat '${source}': Not a directory`)
    return stat
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`cannot stat '${source}': ${errorWords(error)}`)
  }
}

async function copy(work: Work, source: string, target: string, stat: BashStat, named: boolean): Promise<void> {
  const { given, context, report, out } = work
  const [from, to] = [pathOf(context, source), pathOf(context, target)]
  if (stat.isDirectory) {
    await copyFolder(work, source, target, stat, named)
    return
  }
  const there = await context.fs.lstat(to).catch(() => undefined)
  if (there) {
    // A symlink may replace another symlink to the same target, but not the target itself.
    const same = stat.isSymbolicLink && there.isSymbolicLink ? from === to : (await realOf(context, from)) === (await realOf(context, to))
    if (same && !given.has('remove-destination')) throw new Failure(`'${source}' and '${target}' are the same file`)
    if (there.isDirectory) throw new Failure(`cannot overwrite directory '${target}' with non-directory${named ? '' : ` '${source}'`}`)
    if (!mayReplace(work, target, stat, there)) return
    if (work.seen.has(to)) throw new Failure(`will not overwrite just-created '${target}' with '${source}'`)
  } else if (!(await hasFolder(context, to))) {
    throw new Failure(`cannot create ${stat.isSymbolicLink ? 'symbolic link' : 'regular file'} '${target}': No such file or directory`)
  }
  work.seen.add(to)
  const links = given.has('s') || stat.isSymbolicLink
  const replaces = there !== undefined && (links || given.has('remove-destination'))
  if (replaces && given.has('s') && !given.has('f')) throw new Failure(`cannot create symbolic link '${target}': File exists`)
  if (given.has('s') && !source.startsWith('/') && pathOf(context, `${target}/..`) !== pathOf(context, '.'))
    throw new Failure(`${target}: can make relative symbolic links only in current directory`)
  if (given.has('v')) out.put(packed(`'${source}' -> '${target}'\n`))
  try {
    const entry = await entryOf(work, source, stat)
    if (replaces) await context.fs.replace(to, entry)
    else await ('target' in entry ? context.fs.symlink(entry.target, to) : context.fs.writeFile(to, entry.content))
    if (!links) await keepFacts(work, to, stat, there === undefined || replaces)
  } catch (error) {
    report.fail(`cannot create regular file '${target}': ${errorWords(error)}`)
  }
}

async function entryOf({ given, context }: Work, source: string, stat: BashStat): Promise<BashEntry> {
  const from = pathOf(context, source)
  if (given.has('s')) return { target: source }
  if (stat.isSymbolicLink) return { target: await context.fs.readlink(from) }
  return { content: await context.fs.readFileBuffer(from) }
}

async function copyFolder(work: Work, source: string, target: string, stat: BashStat, named: boolean): Promise<void> {
  const { given, context, report, out } = work
  const to = pathOf(context, target)
  const there = await context.fs.stat(to).catch(() => undefined)
  if (there && !there.isDirectory) throw new Failure(`cannot overwrite non-directory '${target}' with directory '${source}'`)
  if (!there) {
    if (!(await hasFolder(context, to))) throw new Failure(`cannot create directory '${target}': No such file or directory`)
    await context.fs.mkdir(to)
    if (given.has('v')) out.put(packed(`'${source}' -> '${target}'\n`))
  }
  for (const name of await context.fs.readdir(pathOf(context, source))) {
    const [below, dest] = [joined(source, name), joined(target, name)]
    try {
      await copy(work, below, dest, await lookAt(work, below, false), false)
    } catch (error) {
      report.fail(error instanceof Failure ? error.message : `cannot copy '${below}': ${errorWords(error)}`)
    }
  }
  await keepFacts(work, to, stat, there === undefined)
  void named
}

/** Sets the mode of a new file. With `-p`, `-a` or `--preserve`, copies mode and modification time even to an existing file. */
async function keepFacts({ given, context }: Work, path: string, { mode, mtime }: BashStat, isNew: boolean): Promise<void> {
  const kept =
    given.has('p') || given.has('a') || (given.has('preserve') && !/^(?:links|xattr|context)$/.test(given.value('preserve') ?? ''))
  const what = given.value('preserve')
  const dropped = given.value('no-preserve') ?? ''
  const modes = (isNew || kept) && !dropped.includes('mode') && !dropped.includes('all')
  if (modes && (isNew || what === undefined || /mode|all/.test(what))) await ifKept(context.fs.chmod(path, mode))
  const times = kept && (what === undefined || /timestamps|all/.test(what) || given.has('p') || given.has('a'))
  if (times && !/timestamps|all/.test(dropped)) await ifKept(context.fs.utimes(path, mtime, mtime))
}

/** Ignores ENOTSUP, because a storage without modes or times cannot keep them. */
function ifKept(work: Promise<void>): Promise<void> {
  return work.catch(ignoreCodes('ENOTSUP'))
}

function mayReplace({ given, asker, name }: Work, target: string, source: BashStat, there: BashStat): boolean {
  if (given.has('u') && there.mtime.getTime() >= source.mtime.getTime()) return false
  const last = given.last('f', 'i', 'n')
  if (given.last('i', 'n') === 'n' && last !== 'i' && !(name === 'mv' && last === 'f')) return false
  if (last === 'i' || (name === 'cp' && given.last('i', 'n') === 'i')) return asker.agrees(`${name}: overwrite '${target}'? `)
  return true
}
