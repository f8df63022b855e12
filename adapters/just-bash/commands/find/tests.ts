import type { BashStat } from '../../../../src/workspace/facades/to-bash-fs.js'
import { errorWords } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { pathOf } from '../shared/files.js'
import { compileFnmatch } from '../shared/fnmatch.js'
import { parseTime } from '../shared/time/parse.js'
import { type Entry, type FileType, linksOf, modeOf, sizeOf } from './entry.js'
import type { Test } from './expression.js'
import { quoted, unsupported } from './messages.js'
import { compares, comparisonOf, daysTest, minutesTest, sizeTest } from './numbers.js'
import { permissionTest } from './permissions.js'
import { type Arguments, REFUSED, type Reader, type Reading, zoneFor } from './reading.js'
import { compilePathRegex } from './regex.js'

const constant =
  (value: boolean): Reader =>
  () =>
  () =>
    value

/** Creates a test of a file's stat. It is false if the file cannot be read, which is already reported. */
const ofStat =
  (body: (stat: BashStat, entry: Entry) => boolean | Promise<boolean>): Test =>
  async (entry) => {
    const stat = await entry.stat()
    return stat !== undefined && body(stat, entry)
  }

const pattern =
  (subject: 'base' | 'name', ignoreCase: boolean): Reader =>
  (reading, next, word) => {
    const text = next.value(word)
    warnOfSlashes(reading, word, text, subject)
    const matches = compileFnmatch(text, ignoreCase)
    return (entry) => matches(entry[subject])
  }

function warnOfSlashes({ output, warns }: Reading, word: string, text: string, subject: 'base' | 'name'): void {
  if (subject === 'name' && text.length > 1 && text.endsWith('/'))
    output.warn(`${word} ${text} will not match anything because it ends with /.`)
  if (subject === 'base' && warns && text.includes('/') && text !== '/')
    output.warn(
      `'${word}' matches against basenames only, but the given pattern contains a directory separator ('/'), thus the expression will ` +
        `evaluate to false all the time.  Did you mean '${word === '-iname' ? '-iwholename' : '-wholename'}'?`,
    )
}

const linkPattern =
  (ignoreCase: boolean): Reader =>
  (_, next, word) => {
    const matches = compileFnmatch(next.value(word), ignoreCase)
    return async (entry) => {
      if ((await entry.type()) !== 'l') return false
      const target = await entry.target()
      return target !== undefined && matches(target)
    }
  }

const regex =
  (ignoreCase: boolean): Reader =>
  async ({ regexType }, next, word) => {
    const matches = await compilePathRegex(next.value(word), regexType, ignoreCase)
    return ({ name }) => matches(name)
  }

/** File types that do not exist in the workspace. */
const OTHER_TYPES = 'bcps'

const types =
  (which: 'type' | 'otherType'): Reader =>
  (_, next, word) => {
    const text = next.value(word)
    const wanted = new Set(typesIn(text, word))
    return (entry) => {
      const type: FileType | undefined | Promise<FileType | undefined> = entry[which]()
      return typeof type === 'object' ? type.then((one) => one !== undefined && wanted.has(one)) : type !== undefined && wanted.has(type)
    }
  }

/** @throws {Failure} with GNU's message */
function typesIn(text: string, word: string): string[] {
  if (text === '') throw new Failure(`Arguments to ${word} should contain at least one letter`)
  const found: string[] = []
  for (let at = 0; at < text.length; at += 2) {
    const letter = text[at] as string
    if (letter === 'D')
      throw new Failure(`${word} D is not supported because Solaris doors are not supported on the platform find was compiled on.`)
    if (!`fdl${OTHER_TYPES}`.includes(letter)) throw new Failure(`Unknown argument to ${word}: ${letter}`)
    if (found.includes(letter)) throw new Failure(`Duplicate file type ${quoted(letter)} in the argument list to ${word}.`)
    found.push(letter)
    if (at + 1 === text.length) break
    if (text[at + 1] !== ',') throw new Failure(`Must separate multiple arguments to ${word} using: ','`)
    if (at + 2 === text.length) throw new Failure(`Last file type in list argument to ${word} is missing, i.e., list is ending on: ','`)
  }
  return found
}

const number =
  (value: (stat: BashStat, entry: Entry, reading: Reading) => number | Promise<number>): Reader =>
  (reading, next, word) => {
    const comparison = comparisonOf(next.value(word), word)
    return ofStat(async (stat, entry) => compares(comparison, await value(stat, entry, reading)))
  }

const OWNER = 1000
const IDS: Readonly<Record<string, number>> = { root: 0, user: OWNER }

const owner =
  (empty: string, unknown: string): Reader =>
  (_, next, word) => {
    const name = next.value(word)
    if (name === '') throw new Failure(empty)
    const id = Object.hasOwn(IDS, name) ? IDS[name] : /^\d+$/.test(name) ? Number(name) : undefined
    if (id === undefined) throw new Failure(`${quoted(name)} is not the name of ${unknown}`)
    return () => id === OWNER
  }

/** Like the shell's `[ -r ]`, tests the permissions of the owner. Follows symlinks. */
const access =
  (bit: number): Reader =>
  ({ context }) =>
  async ({ path }) => {
    const stat = await context.fs.stat(path).catch(() => undefined)
    return stat !== undefined && (stat.mode & bit) !== 0
  }

/** Resolves to the stat of a reference file. With `-H` and `-L`, follows a symlink. @throws {Failure} if the file is missing */
async function reference({ context, options }: Reading, name: string): Promise<BashStat> {
  const path = pathOf(context, name)
  try {
    const own = await context.fs.lstat(path)
    if (!own.isSymbolicLink || options.following === 'never') return own
    return await context.fs.stat(path).catch(() => own)
  } catch (error) {
    throw new Failure(`${quoted(name)}: ${errorWords(error)}`)
  }
}

const newerThan = (ms: number): Test => ofStat((stat) => stat.mtime.getTime() > ms)

/** Creates the test of `-newerXY`, which compares time X of the file with time Y of the reference. */
const newerXY: Reader = async (reading, next, word) => {
  const [x = '', y = ''] = word.slice('-newer'.length)
  if (word.length !== '-newerXY'.length || !'aBcm'.includes(x) || !'aBcmt'.includes(y)) throw new Failure(`invalid predicate \`${word}'`)
  if (x !== 'm' || (y !== 'm' && y !== 't')) throw noTime(word, 'Use -newer, -newermm or -newermt')
  const value = next.value(word)
  if (y === 'm') return newerThan((await reference(reading, value)).mtime.getTime())
  const time = parseTime(value, reading.now, zoneFor(reading))
  if (!time) throw new Failure(`I cannot figure out how to interpret ${quoted(value)} as a date or time`)
  return newerThan(time.ms)
}

const ONE_TIME = 'only the modification time is stored, not access and change times'
const noTime = (word: string, instead: string): Failure => unsupported(word, ONE_TIME, instead)

const refused = (why: string, instead: string): Reader => {
  const reader: Reader = (_, __, word) => {
    throw unsupported(word, why, instead)
  }
  REFUSED.add(reader)
  return reader
}

const refusedTime = (instead: string): Reader => refused(ONE_TIME, instead)

const time =
  (read: typeof daysTest): Reader =>
  ({ now, dayEnd }, next, word) => {
    const matches = read(next.value(word), word, dayEnd ?? now)
    return ofStat((stat) => matches(stat.mtime.getTime()))
  }

const sameFile: Reader = async (reading, next, word) => {
  const { context, options } = reading
  const name = next.value(word)
  const wanted = await reference(reading, name)
  const path = await placeOf(reading, name, wanted)
  return async (entry) => {
    const stat = await entry.stat()
    if (!stat || stat.isSymbolicLink !== wanted.isSymbolicLink) return false
    return (
      (entry.isLink && options.following !== 'never' && !stat.isSymbolicLink
        ? await context.fs.realpath(entry.path)
        : await ownPlace(reading, entry.path)) === path
    )
  }
}

/**
 * Returns the path that identifies a file: its real path, because the workspace has no hard links. For a symlink itself, only the directory
 * is resolved.
 */
const placeOf = (reading: Reading, name: string, stat: BashStat): Promise<string> => {
  const path = pathOf(reading.context, name)
  return stat.isSymbolicLink ? ownPlace(reading, path) : reading.context.fs.realpath(path)
}

/** Resolves the symlinks in the directory part of a path, but not in its last part. */
async function ownPlace({ context }: Reading, path: string): Promise<string> {
  const at = path.lastIndexOf('/')
  const folder = at > 0 ? await context.fs.realpath(path.slice(0, at)) : ''
  return `${folder === '/' ? '' : folder}${path.slice(at)}`
}

const isEmpty: Reader = ({ context }) =>
  ofStat(async (stat, entry) => {
    if (!stat.isDirectory) return stat.isFile && stat.size === 0
    try {
      return (await context.fs.readdirWithFileTypes(entry.path)).length === 0
    } catch (error) {
      entry.fail(error)
      return false
    }
  })

const permissions: Reader = ({ output }, next, word) => {
  const { matches, warning } = permissionTest(next.value(word))
  if (warning) output.warn(warning)
  return ofStat((stat) => matches(modeOf(stat), stat.isDirectory))
}

const size: Reader = (_, next: Arguments, word) => {
  const matches = sizeTest(next.value(word))
  return ofStat((stat) => matches(sizeOf(stat)))
}

export const TESTS: Readonly<Record<string, Reader>> = {
  '-amin': refusedTime('Use -mmin'),
  '-anewer': refusedTime('Use -newer'),
  '-atime': refusedTime('Use -mtime'),
  '-cmin': refusedTime('Use -mmin'),
  '-cnewer': refusedTime('Use -newer'),
  '-context': () => {
    throw new Failure('invalid predicate -context: SELinux is not enabled.')
  },
  '-ctime': refusedTime('Use -mtime'),
  '-empty': isEmpty,
  '-executable': access(0o100),
  '-false': constant(false),
  '-files0-from': refused('starting points are read from the command line only', 'Use xargs -0 sh -c \'find "$@" ...\' find'),
  '-fstype': refused('the file system has no type', 'Leave it out, or use -path'),
  '-gid': number(() => OWNER),
  '-group': owner('argument to -group is empty, but should be a group name', 'an existing group'),
  '-ilname': linkPattern(true),
  '-iname': pattern('base', true),
  '-inum': refused('files have no inode numbers', 'Use -samefile'),
  '-ipath': pattern('name', true),
  '-iregex': regex(true),
  '-iwholename': pattern('name', true),
  '-links': number((stat, { path }, { context }) => linksOf(context, path, stat)),
  '-lname': linkPattern(false),
  '-mmin': time(minutesTest),
  '-mtime': time(daysTest),
  '-name': pattern('base', false),
  '-newer': async (reading, next, word) => newerThan((await reference(reading, next.value(word))).mtime.getTime()),
  '-newerXY': newerXY,
  '-nogroup': constant(false),
  '-nouser': constant(false),
  '-path': pattern('name', false),
  '-perm': permissions,
  '-readable': access(0o400),
  '-regex': regex(false),
  '-samefile': sameFile,
  '-size': size,
  '-true': constant(true),
  '-type': types('type'),
  '-uid': number(() => OWNER),
  '-used': refusedTime('Use -mtime'),
  '-user': owner('The argument to -user should not be empty', 'a known user'),
  '-wholename': pattern('name', false),
  '-writable': access(0o200),
  '-xtype': types('otherType'),
}
