import { FsError } from '../../src/errors/index.js'
import { type FittingLines, fittingLines } from '../../src/ops/ignore.js'
import { unquoted } from '../../src/ops/patch/unified-names.js'
import { finish, type Steps } from '../../src/ops/steps.js'
import { inSlices, type Slicer } from '../../src/workspace/slicer.js'

/** The state of an attribute: set, unset, or a value. */
export type Attribute = boolean | string

type Assignment = readonly [name: string, value: Attribute | undefined]

interface Line {
  readonly pattern: string
  readonly assignments: readonly Assignment[]
}

/** A parsed attributes file. Most patterns are a plain name or suffix: a map finds their lines. All other patterns are compiled once. */
interface AttributesFile {
  readonly lines: readonly Line[]
  readonly macros: readonly Line[]
  /** Maps `name` and `*ending` to the indices of their lines. */
  readonly plain: ReadonlyMap<string, readonly number[]>
  readonly others: readonly number[]
  readonly fitting: FittingLines
}

/** Reads a file by its path in the repository. Resolves to undefined if the file does not exist. */
export type ReadFile = (path: string) => Promise<Uint8Array | undefined>

export const ATTRIBUTES = '.gitattributes'
/** Attributes file of the repository itself, which is not versioned. */
export const OWN_ATTRIBUTES = '.git/info/attributes'
const decoder = new TextDecoder()
/** Maximum number of characters in a line. Like git, skips longer lines. */
const MAX_LINE = 2048
/** Maximum number of lines per file, because each path is compared with all lines. */
const MAX_LINES = 5000
/** The only built-in macro of git. */
const BINARY: Line = { pattern: 'binary', assignments: ['diff', 'merge', 'text'].map((name) => [name, false]) }

/** Determines the attributes of paths by the rules of gitattributes(5). Attributes files outside the repository are not read. */
export class Attributes {
  readonly #read: ReadFile
  readonly #ignoresCase: boolean
  readonly #run: <T>(steps: Steps<T>) => Promise<T>
  readonly #files = new Map<string, Promise<AttributesFile | undefined>>()

  /** @param options.slicer makes work with many rules yield to the event loop */
  constructor(read: ReadFile, { ignoresCase = false, slicer }: { readonly ignoresCase?: boolean; readonly slicer?: Slicer } = {}) {
    this.#read = read
    this.#ignoresCase = ignoresCase
    this.#run = (steps) => (slicer ? inSlices(steps, slicer) : Promise.resolve(finish(steps)))
  }

  /** @throws {FsError} ENOTSUP for a file with too many rules */
  async of(path: string): Promise<ReadonlyMap<string, Attribute>> {
    const parts = path.split('/')
    const folded = (this.#ignoresCase ? path.toLowerCase() : path).split('/')
    const name = folded.pop() as string
    parts.pop()
    // The file with the highest priority comes first.
    const files: [file: AttributesFile | undefined, below: readonly string[]][] = [[await this.#file(OWN_ATTRIBUTES), folded]]
    for (let depth = parts.length; depth >= 0; depth--) {
      files.push([await this.#file([...parts.slice(0, depth), ATTRIBUTES].join('/')), folded.slice(depth)])
    }
    const macros = new Map([[BINARY.pattern, BINARY.assignments]])
    // git allows macros only in the top-level file and in the repository's own file.
    for (const [file] of [files.at(-1), files[0]].filter((one) => one !== undefined))
      for (const { pattern, assignments } of file?.macros ?? []) macros.set(pattern, assignments)
    const decided = new Map<string, Attribute | undefined>()
    const decide = (assignments: readonly Assignment[]): void => {
      for (const [key, value] of assignments.toReversed()) {
        if (decided.has(key)) continue
        decided.set(key, value)
        if (value === true) decide(macros.get(key) ?? [])
      }
    }
    for (const [file, below] of files) {
      for (const at of file ? await this.#run(fitting(file, below, name)) : []) decide(file?.lines[at]?.assignments ?? [])
    }
    return new Map([...decided].filter((entry): entry is [string, Attribute] => entry[1] !== undefined))
  }

  #file(path: string): Promise<AttributesFile | undefined> {
    const parsed = (bytes: Uint8Array | undefined) => bytes && this.#run(parse(path, decoder.decode(bytes), this.#ignoresCase))
    const known = this.#files.get(path) ?? this.#read(path).then(parsed)
    this.#files.set(path, known)
    return known
  }
}

/** A pattern without slash, wildcard or escape, except for a leading star. */
const PLAIN = /^\*?[^\\*?[\]!/\s]+$/

/** Returns the indices of the matching lines. The last line comes first. */
function* fitting(file: AttributesFile, below: readonly string[], name: string): Steps<number[]> {
  const found = [...(file.plain.get(name) ?? [])]
  for (let at = 0; at < name.length; at++) found.push(...(file.plain.get(`*${name.slice(at)}`) ?? []))
  if (file.others.length > 0) for (const at of yield* file.fitting(below, name)) found.push(file.others[at] as number)
  return found.sort((a, b) => b - a)
}

function* parse(path: string, text: string, ignoresCase: boolean): Steps<AttributesFile> {
  const lines: Line[] = []
  const macros: Line[] = []
  for (const source of text.replace(/^\uFEFF/, '').split('\n')) {
    const line = source.trim()
    const [, quoted, plain = '', rest = ''] = /^(?:("(?:[^"\\]|\\.)*")|(\S+))(?:\s+(.*))?$/.exec(line) ?? []
    if (line === '' || line.startsWith('#') || source.length > MAX_LINE) continue
    const assignments = rest.split(/\s+/).filter(Boolean).map(assignment)
    if (plain.startsWith('[attr]')) macros.push({ pattern: plain.slice('[attr]'.length), assignments })
    // Negative patterns have no effect in attributes files. A hash inside quotes does not begin a comment.
    else {
      const pattern = quoted === undefined ? plain : unquoted(quoted).replace(/^#/, '\\#')
      lines.push({ pattern: ignoresCase ? pattern.toLowerCase() : pattern, assignments })
    }
  }
  if (lines.length > MAX_LINES) {
    const detail = `it has ${lines.length} rules, and more than ${MAX_LINES} are not supported`
    throw new FsError({ code: 'ENOTSUP', op: 'read', path, detail })
  }
  const { plain, others } = sorted(lines)
  return { lines, macros, plain, others, fitting: yield* fittingLines(others.map((at) => lines[at]?.pattern ?? '')) }
}

function sorted(lines: readonly Line[]): Pick<AttributesFile, 'plain' | 'others'> {
  const plain = new Map<string, number[]>()
  const others: number[] = []
  for (const [at, { pattern }] of lines.entries()) {
    if (!PLAIN.test(pattern)) others.push(at)
    else plain.set(pattern, [...(plain.get(pattern) ?? []), at])
  }
  return { plain, others }
}

/** Parses `name`, `-name`, `!name` (unspecified) or `name=value`. */
function assignment(source: string): Assignment {
  if (source.startsWith('-')) return [source.slice(1), false]
  if (source.startsWith('!')) return [source.slice(1), undefined]
  const at = source.indexOf('=')
  return at < 0 ? [source, true] : [source.slice(0, at), source.slice(at + 1)]
}
