import { type IgnoreScope, NO_RULES } from '../../../../src/ops/ignore.js'
import type { Steps } from '../../../../src/ops/steps.js'
import type { BashDirent } from '../../../../src/workspace/facades/to-bash-fs.js'
import { textOfBytes } from '../shared/bytes.js'
import type { CommandContext } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { pathOf } from '../shared/files.js'
import { compileFnmatch, type NameMatcher } from '../shared/fnmatch.js'
import type { Given } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import type { Report } from '../shared/text-io.js'
import { numberOf } from './options.js'
import { TYPES } from './types.js'

/** Estimated microseconds per step. */
const STEP = 4000

/** The rules that apply in one directory. */
interface Place {
  /** Rules of the ignore files. */
  readonly rules: IgnoreScope
  /** Globs of `-g`: `named` matches included names, `left` excluded ones. */
  readonly named: IgnoreScope
  readonly left: IgnoreScope
  /** Whether the directory is in a Git repository, so that `.gitignore` applies. */
  readonly inRepository: boolean
  readonly depth: number
}

export interface WalkedFile {
  readonly name: string
  /** Whether the file was named as an argument rather than found in a directory. */
  readonly isExplicit: boolean
}

/** Finds the files to search, in order of their names. */
export class Walk {
  readonly #context: CommandContext
  readonly #given: Given
  readonly #report: Report
  readonly #pace: Pace
  readonly #named: readonly string[]
  readonly #left: readonly string[]
  readonly #isWanted: (name: string) => boolean
  readonly #most: number
  readonly #level: number

  constructor(context: CommandContext, given: Given, report: Report) {
    this.#context = context
    this.#given = given
    this.#report = report
    this.#pace = new Pace(context)
    const globs = given.values('g').flatMap(expanded)
    this.#named = globs
    this.#left = globs.map((glob) => (glob.startsWith('!') ? glob.slice(1) : `!${glob}`))
    this.#isWanted = typesOf(given)
    this.#most = numberOf(given, 'max-depth') ?? Number.POSITIVE_INFINITY
    this.#level = given.options.filter(({ id }) => id === 'u').length
  }

  /** @param name file or directory; empty for the working directory */
  async *from(name: string): AsyncGenerator<WalkedFile> {
    const path = pathOf(this.#context, name === '' ? '.' : name)
    const stat = await this.#context.fs.stat(path).catch(() => undefined)
    if (!stat) this.#report.fail(`${name}: No such file or directory (os error 2)`, 2)
    else if (stat.isDirectory)
      yield* this.#below(path, name === '' || name.endsWith('/') ? name : `${name}/`, await this.#placeOf(path), [])
    else yield { name, isExplicit: true }
  }

  get #readsIgnored(): boolean {
    return this.#given.has('no-ignore') || this.#level > 0
  }

  /** Returns the rules for a directory, which include those of all its parents. */
  async #placeOf(path: string): Promise<Place> {
    const globs = (lines: readonly string[]): IgnoreScope => NO_RULES.add(lines.join('\n'))
    let place: Place = { rules: NO_RULES, named: NO_RULES, left: NO_RULES, inRepository: false, depth: 0 }
    let at = ''
    const cwd = this.#context.cwd.replace(/\/$/, '')
    for (const part of path.replace(/\/$/, '').split('/')) {
      if (part !== '') {
        place = await this.#with(at === '' ? '/' : at, place)
        place = enter(place, part)
        at += `/${part}`
      }
      if (at === cwd) place = { ...place, named: globs(this.#named), left: globs(this.#left) }
    }
    return { ...place, depth: 0 }
  }

  /** Adds the rules of a directory's own ignore files. */
  async #with(folder: string, place: Place): Promise<Place> {
    if (this.#readsIgnored) return place
    const { fs } = this.#context
    const at = folder === '/' ? '' : folder
    const inRepository = place.inRepository || this.#given.has('no-require-git') || (await fs.exists(`${at}/.git`))
    const names = [...(inRepository && !this.#given.has('no-ignore-vcs') ? ['.gitignore'] : []), '.ignore', '.rgignore']
    let { rules } = place
    for (const name of names) {
      const bytes = await fs.readFileBuffer(`${at}/${name}`).catch(() => undefined)
      if (bytes) rules = await this.#paced(rules.addSteps(textOfBytes(bytes)))
    }
    return { ...place, rules, inRepository }
  }

  async *#below(folder: string, shown: string, above: Place, seen: readonly string[]): AsyncGenerator<WalkedFile> {
    const { fs } = this.#context
    if (above.depth >= this.#most) return
    const place = await this.#with(folder, above)
    const entries = await fs.readdirWithFileTypes(folder).catch((error: unknown) => {
      this.#report.fail(`${shown.replace(/\/$/, '')}: ${errorWords(error)}`, 2)
      return []
    })
    await this.#paced(place.rules.prepareSteps(entries.map(({ name }) => name)))
    for (const entry of entries) {
      await this.#pace.turn(20)
      const path = `${folder === '/' ? '' : folder}/${entry.name}`
      const stat = entry.isSymbolicLink && this.#given.has('L') ? await fs.stat(path).catch(() => undefined) : undefined
      if (entry.isSymbolicLink && !stat) continue
      const isDirectory = stat?.isDirectory ?? entry.isDirectory
      if (this.#leavesOut(entry, isDirectory, place)) continue
      if (!isDirectory) {
        if (this.#isWanted(entry.name)) yield { name: shown + entry.name, isExplicit: false }
        continue
      }
      const real = stat ? await fs.realpath(path) : ''
      if (!seen.includes(real)) yield* this.#below(path, `${shown}${entry.name}/`, enter(place, entry.name), stat ? [...seen, real] : seen)
    }
  }

  async #paced<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      await this.#pace.turn(STEP)
    }
  }

  #leavesOut({ name }: BashDirent, isDirectory: boolean, { rules, named, left }: Place): boolean {
    const kind = isDirectory ? 'dir' : 'file'
    if (this.#named.length > 0) {
      if (left.ignores(name, kind)) return true
      if (named.ignores(name, kind)) return false
      if (!isDirectory && this.#named.some((glob) => !glob.startsWith('!'))) return true
    }
    const isHidden = name.startsWith('.') && this.#given.last('.', 'no-hidden') !== '.' && this.#level < 2
    return isHidden || rules.ignores(name, kind)
  }
}

const enter = (place: Place, name: string): Place => ({
  rules: place.rules.enter(name),
  named: place.named.enter(name),
  left: place.left.enter(name),
  inRepository: place.inRepository,
  depth: place.depth + 1,
})

/** Expands `*.{a,b}` to two globs. */
function expanded(glob: string): readonly string[] {
  const [all, before = '', inner = '', behind = ''] = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(glob) ?? []
  if (all === undefined) {
    if (/[{}]/.test(glob)) throw new Failure(`nested braces are not supported in this shell: use several -g instead of '${glob}'`, 2)
    return [glob]
  }
  return inner.split(',').flatMap((part) => expanded(before + part + behind))
}

/** Returns a filter by the file types of `-t` and `-T`. @throws {Failure} for an unknown type */
function typesOf(given: Given): (name: string) => boolean {
  const tests = (id: string): NameMatcher[] =>
    given.values(id).flatMap((name) => {
      const globs = name === 'all' ? [...TYPES.values()].flat() : TYPES.get(name)
      if (!globs) throw new Failure(`unrecognized file type: ${name}`, 2)
      return globs.flatMap(expanded).map((glob) => compileFnmatch(glob))
    })
  const [wanted, unwanted] = [tests('t'), tests('T')]
  return (name) => (wanted.length === 0 || wanted.some((matches) => matches(name))) && !unwanted.some((matches) => matches(name))
}
