import type { CommandContext } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { pathOf } from '../shared/files.js'
import { Pace } from '../shared/pace.js'
import { Entry, type Following } from './entry.js'
import type { Test } from './expression.js'
import type { Launcher } from './launch.js'
import { quoted } from './messages.js'
import type { Output } from './output.js'

export interface WalkOptions {
  following: Following
  minDepth: number
  maxDepth: number
  /** Whether to visit the content of a directory before the directory itself. */
  depthFirst: boolean
}

/** Thrown by `-quit` to end the walk. */
export class Quit extends Error {}

/** Estimated time per file in microseconds. */
const ENTRY_STEPS = 10

export interface WalkParts {
  readonly context: CommandContext
  readonly output: Output
  readonly launcher: Launcher
  readonly options: WalkOptions
  readonly test: Test
}

/** A directory between the starting point and the current file. Used to detect symlink loops. */
interface Above {
  readonly name: string
  readonly identity: string
}

/** Walks the trees below the starting points and evaluates the expression for each file, in directory order. */
export class Walk {
  readonly #parts: WalkParts
  readonly #pace: Pace
  #level = -1

  constructor(parts: WalkParts) {
    this.#parts = parts
    this.#pace = new Pace(parts.context)
  }

  async from(start: string): Promise<void> {
    const { context, output, options } = this.#parts
    const { fs } = context
    // With a trailing slash, a symlink stands for its target.
    const follows = options.following !== 'never' || start.endsWith('/')
    this.#level = -1
    try {
      const path = pathOf(context, start)
      const own = await fs.lstat(path)
      if (start.endsWith('/') && !(await fs.stat(path)).isDirectory) return output.fail(`${quoted(start)}: Not a directory`)
      await this.#visit(new Entry({ context, output, name: start, path, start, depth: 0, follows, listed: own }), [])
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      output.fail(`${quoted(start)}: ${errorWords(error)}`)
    }
  }

  async #visit(entry: Entry, above: readonly Above[]): Promise<void> {
    const { options } = this.#parts
    await this.#pace.turn(ENTRY_STEPS)
    await this.#enter(entry.depth)
    const type = await entry.type()
    // The file is a symlink loop, which is already reported.
    if (type === undefined) return
    const isDirectory = type === 'd'
    const own = isDirectory && options.following === 'always' ? await this.#identified(entry) : undefined
    const loop = own && above.find(({ identity }) => identity === own.identity)
    if (loop) {
      const words = `File system loop detected; ${quoted(entry.name)} is part of the same file system loop as ${quoted(loop.name)}.`
      return this.#parts.output.fail(words)
    }
    if (!options.depthFirst) await this.#ask(entry)
    if (isDirectory && !(entry.pruned && !options.depthFirst) && entry.depth < options.maxDepth) {
      await this.#descend(entry, own ? [...above, own] : above)
      await this.#enter(entry.depth)
    }
    if (options.depthFirst) await this.#ask(entry)
  }

  async #descend(entry: Entry, above: readonly Above[]): Promise<void> {
    const { context, output, options } = this.#parts
    const listing = await context.fs.readdirWithFileTypes(entry.path).catch((error: unknown) => entry.fail(error))
    if (!listing) return
    const [prefix, folder] = [withSlash(entry.name), withSlash(entry.path)]
    for (const listed of listing) {
      await this.#visit(
        new Entry({
          context,
          output,
          name: prefix + listed.name,
          path: folder + listed.name,
          start: entry.start,
          depth: entry.depth + 1,
          follows: options.following === 'always',
          listed,
        }),
        above,
      )
    }
  }

  async #ask(entry: Entry): Promise<void> {
    const { options, output, test } = this.#parts
    if (entry.depth < options.minDepth) return
    await test(entry)
    if (output.isDue) await output.flush()
  }

  /** Runs the collected commands of `-execdir` if the level changes, because the directory then changes too. */
  async #enter(level: number): Promise<void> {
    if (level !== this.#level) await this.#parts.launcher.leaveFolder()
    this.#level = level
  }

  async #identified(entry: Entry): Promise<Above | undefined> {
    const identity = await this.#parts.context.fs.realpath(entry.path).catch(() => undefined)
    return identity === undefined ? undefined : { name: entry.name, identity }
  }
}

const withSlash = (name: string): string => (name.endsWith('/') ? name : `${name}/`)
