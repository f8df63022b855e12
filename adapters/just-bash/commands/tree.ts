import type { BashStat } from '../../../src/workspace/facades/to-bash-fs.js'
import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { compileFnmatch } from './shared/fnmatch.js'
import { type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { isByteLocale, Report } from './shared/text-io.js'
import { byBytes } from './sort/compare.js'

const OPTIONS = 'a d f F i n N q Q r s t L= I= P= noreport dirsfirst filesfirst prune matchdirs ignore-case charset='

export const treeCommand: OwnCommand = command('tree', { usage: 'tree [OPTION]... [DIRECTORY]...' }, run)

/** Text before the names: for an entry, for the last entry of a directory, and for the lines below each of the two. */
type Branches = readonly [entry: string, last: string, below: string, belowLast: string]
const UNICODE: Branches = ['├── ', '└── ', '│\u00a0\u00a0 ', '    ']
const ASCII: Branches = ['|-- ', '`-- ', '|   ', '    ']

interface Entry {
  readonly name: string
  readonly path: string
  readonly stat: BashStat
  /** The target of a symlink. Undefined for other entries. */
  readonly target: string | undefined
  /** Whether the entry is a directory or a symlink to a directory. */
  readonly isDirectory: boolean
  readonly children: readonly Entry[]
  /** Whether the content of the directory cannot be read. Also true for a root that is not a directory. */
  readonly failed: boolean
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('tree', args, OPTIONS)
  const level = given.value('L')
  if (level !== undefined && !/^0*[1-9]\d*/.test(level)) throw new Failure('Invalid level, must be greater than 0.')
  const lister = new Lister(given, context, level === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(level, 10))
  const printer = new Printer(given, context)
  const report = new Report('tree')
  for (const name of given.operands.length === 0 ? ['.'] : given.operands) {
    const root = await lister.root(name)
    if (root) await printer.root(name, root)
    else report.status = 2
    if (!root) printer.missing(name)
  }
  return report.result(printer.text(), report.status)
}

/**
 * Returns a test for names that match any pattern. `|` separates the alternatives of a pattern. A trailing slash matches only directories.
 */
function matcherOf(patterns: readonly string[], ignoreCase: boolean): (name: string, isDirectory: boolean) => boolean {
  const parts = patterns.flatMap((pattern) => pattern.split('|'))
  if (parts.some((part) => part.slice(0, -1).includes('/')))
    throw new Failure('a pattern with a slash in it is not supported in this shell: use find -path')
  const tests = parts.map((part) => ({ matches: compileFnmatch(part.replace(/\/$/, ''), ignoreCase), onlyDirectories: part.endsWith('/') }))
  return (name, isDirectory) => tests.some(({ matches, onlyDirectories }) => (isDirectory || !onlyDirectories) && matches(name))
}

class Lister {
  readonly #given: Given
  readonly #context: CommandContext
  readonly #most: number
  readonly #pace: Pace
  readonly #ignored: ReturnType<typeof matcherOf>
  readonly #wanted: ReturnType<typeof matcherOf> | undefined

  constructor(given: Given, context: CommandContext, most: number) {
    this.#given = given
    this.#context = context
    this.#most = most
    this.#pace = new Pace(context)
    const ignoreCase = given.has('ignore-case')
    this.#ignored = matcherOf(given.values('I'), ignoreCase)
    this.#wanted = given.has('P') ? matcherOf(given.values('P'), ignoreCase) : undefined
  }

  /** Returns the root with its entries, or undefined if the root does not exist. */
  async root(name: string): Promise<Entry | undefined> {
    const path = pathOf(this.#context, name)
    const stat = await this.#context.fs.stat(path).catch(() => undefined)
    if (!stat) return undefined
    const { isDirectory } = stat
    return { name, path, stat, target: undefined, isDirectory, ...(await this.#below(path, isDirectory, 1, false)) }
  }

  async #below(path: string, isDirectory: boolean, depth: number, all: boolean): Promise<Pick<Entry, 'children' | 'failed'>> {
    if (!isDirectory) return { children: [], failed: true }
    if (depth > this.#most) return { children: [], failed: false }
    try {
      return { children: await this.#entries(path, depth, all), failed: false }
    } catch (error) {
      if (error instanceof Error && 'code' in error) return { children: [], failed: true }
      throw error
    }
  }

  async #entries(folder: string, depth: number, all: boolean): Promise<readonly Entry[]> {
    const { fs } = this.#context
    const given = this.#given
    const entries: Entry[] = []
    for (const { name } of await fs.readdirWithFileTypes(folder)) {
      await this.#pace.turn(20)
      if (name.startsWith('.') && !given.has('a')) continue
      const path = `${folder.replace(/\/$/, '')}/${name}`
      const stat = await fs.lstat(path)
      const target = stat.isSymbolicLink ? await fs.readlink(path) : undefined
      const isDirectory = stat.isDirectory || (target !== undefined && (await fs.stat(path).catch(() => undefined))?.isDirectory === true)
      if (this.#ignored(name, isDirectory) || (given.has('d') && !isDirectory)) continue
      const takesAll = all || (stat.isDirectory && given.has('matchdirs') && this.#wanted?.(name, true) === true)
      if (!stat.isDirectory && !takesAll && this.#wanted && !this.#wanted(name, isDirectory)) continue
      const below = stat.isDirectory ? await this.#below(path, true, depth + 1, takesAll) : { children: [], failed: false }
      if (given.has('prune') && stat.isDirectory && below.children.length === 0) continue
      entries.push({ name, path, stat, target, isDirectory, ...below })
    }
    return this.#sorted(entries)
  }

  #sorted(entries: readonly Entry[]): readonly Entry[] {
    const given = this.#given
    const byName = (a: Entry, b: Entry): number => byBytes(packed(a.name), packed(b.name))
    const byTime = (a: Entry, b: Entry): number => (given.has('t') ? a.stat.mtime.getTime() - b.stat.mtime.getTime() : 0)
    const first = given.last('dirsfirst', 'filesfirst')
    const group = (a: Entry, b: Entry): number =>
      first === undefined ? 0 : (Number(b.isDirectory) - Number(a.isDirectory)) * (first === 'dirsfirst' ? 1 : -1)
    return entries.toSorted((a, b) => group(a, b) || (byTime(a, b) || byName(a, b)) * (given.has('r') ? -1 : 1))
  }
}

class Printer {
  readonly #given: Given
  readonly #out: Printout
  readonly #pace: Pace
  readonly #branches: Branches
  #directories = 0
  #files = 0

  constructor(given: Given, context: CommandContext) {
    this.#given = given
    this.#out = new Printout(context)
    this.#pace = new Pace(context)
    const charset = given.value('charset') ?? (isByteLocale(context.env) ? 'ascii' : 'utf-8')
    this.#branches = /^utf-?8$/i.test(charset) ? UNICODE : ASCII
  }

  missing(name: string): void {
    this.#put(`${this.#quoted(name)}  [error opening dir]\n`)
  }

  async root(name: string, root: Entry): Promise<void> {
    if (!root.isDirectory) {
      this.missing(name)
      this.#files++
      return
    }
    if (root.children.length > 0) this.#directories++
    const shown = this.#given.has('F') && !name.endsWith('/') ? `${name}/` : name
    this.#put(`${this.#size(root)}${this.#quoted(shown)}${root.failed ? '  [error opening dir]' : ''}\n`)
    await this.#children(root, name.replace(/\/$/, ''), '')
  }

  text(): string {
    if (!this.#given.has('noreport')) {
      const directories = `${this.#directories} ${this.#directories === 1 ? 'directory' : 'directories'}`
      this.#put(`\n${directories}${this.#given.has('d') ? '' : `, ${this.#files} file${this.#files === 1 ? '' : 's'}`}\n`)
    }
    return this.#out.text()
  }

  async #children({ children }: Entry, folder: string, indent: string): Promise<void> {
    const [entry, last, below, belowLast] = this.#given.has('i') ? ['', '', '', ''] : this.#branches
    for (const [i, child] of children.entries()) {
      await this.#pace.turn(2)
      const isLast = i === children.length - 1
      if (child.isDirectory) this.#directories++
      else this.#files++
      const path = `${folder}/${child.name}`
      const name = this.#quoted(this.#given.has('f') ? path : child.name)
      const target = child.target === undefined ? '' : ` -> ${this.#quoted(child.target)}`
      const note = child.failed ? '  [error opening dir]' : ''
      this.#put(`${indent}${isLast ? last : entry}${this.#size(child)}${name}${target}${this.#mark(child)}${note}\n`)
      await this.#children(child, path, indent + (isLast ? belowLast : below))
    }
  }

  #put(text: string): void {
    this.#out.put(packed(text))
  }

  #quoted(name: string): string {
    return this.#given.has('Q') ? `"${name}"` : name
  }

  #size({ stat }: Entry): string {
    return this.#given.has('s') ? `[${String(stat.size).padStart(11)}]  ` : ''
  }

  #mark({ isDirectory, target, stat }: Entry): string {
    if (!this.#given.has('F')) return ''
    if (isDirectory) return '/'
    return target === undefined && (stat.mode & 0o111) !== 0 ? '*' : ''
  }
}
