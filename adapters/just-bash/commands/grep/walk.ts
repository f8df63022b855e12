import type { CommandContext } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { pathOf } from '../shared/files.js'
import { compileFnmatch } from '../shared/fnmatch.js'
import type { Report } from '../shared/text-io.js'

export interface WalkOptions {
  /** Whether to follow symlinks below the named directory. */
  readonly follow: boolean
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly excludeDir: readonly string[]
}

/** Returns a filter of file names by `--include` and `--exclude`. */
export function wantedBy(options: Pick<WalkOptions, 'include' | 'exclude'>): (name: string) => boolean {
  const [include, exclude] = [options.include, options.exclude].map((globs) => globs.map((glob) => compileFnmatch(glob)))
  return (name) => {
    const base = name.slice(name.lastIndexOf('/') + 1)
    return (include?.length === 0 || include?.some((matches) => matches(base))) === true && !exclude?.some((matches) => matches(base))
  }
}

/** Yields the paths of the files at and below a path, as grep prints them. */
export async function* filesBelow(context: CommandContext, name: string, options: WalkOptions, report: Report): AsyncGenerator<string> {
  const wanted = wantedBy(options)
  const excludeDir = options.excludeDir.map((glob) => compileFnmatch(glob.replace(/\/+$/, '')))

  async function* walk(folder: string, seen: readonly string[]): AsyncGenerator<string> {
    const path = pathOf(context, folder === '' ? '.' : folder)
    const entries = await context.fs.readdirWithFileTypes(path).catch((error: unknown) => {
      report.fail(`${folder}: ${errorWords(error)}`, 2)
      return []
    })
    for (const { name: base, isDirectory, isSymbolicLink } of entries) {
      const below = folder === '' ? base : folder.endsWith('/') ? folder + base : `${folder}/${base}`
      const stat = isSymbolicLink && options.follow ? await context.fs.stat(pathOf(context, below)).catch(() => undefined) : undefined
      if (isSymbolicLink && !stat) continue
      if (stat?.isDirectory || isDirectory) {
        if (excludeDir.some((matches) => matches(base))) continue
        const real = stat ? await context.fs.realpath(pathOf(context, below)) : ''
        if (!seen.includes(real)) yield* walk(below, stat ? [...seen, real] : seen)
      } else if (wanted(base)) yield below
    }
  }

  const stat = name === '' ? undefined : await context.fs.stat(pathOf(context, name)).catch(() => undefined)
  if (name !== '' && !stat?.isDirectory) {
    if (wanted(name)) yield name
  } else yield* walk(name, [])
}
