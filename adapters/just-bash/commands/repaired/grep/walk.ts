import type { CommandContext } from '../../command.js'
import { errorWords } from '../../errno.js'
import { pathOf } from '../../files.js'
import { globRegex } from '../glob.js'
import type { Report } from '../text-io.js'

export interface WalkOptions {
  /** Links below are followed too. */
  readonly follow: boolean
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly excludeDir: readonly string[]
}

/** The files at and below a name, as they are to be called. */
export async function* filesBelow(context: CommandContext, name: string, options: WalkOptions, report: Report): AsyncGenerator<string> {
  const include = options.include.map((glob) => globRegex(glob))
  const exclude = options.exclude.map((glob) => globRegex(glob))
  const excludeDir = options.excludeDir.map((glob) => globRegex(glob.replace(/\/+$/, '')))
  const wanted = (base: string): boolean =>
    (include.length === 0 || include.some((glob) => glob.test(base))) && !exclude.some((glob) => glob.test(base))

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
        if (excludeDir.some((glob) => glob.test(base))) continue
        const real = stat ? await context.fs.realpath(pathOf(context, below)) : ''
        if (!seen.includes(real)) yield* walk(below, stat ? [...seen, real] : seen)
      } else if (wanted(base)) yield below
    }
  }

  const stat = name === '' ? undefined : await context.fs.stat(pathOf(context, name)).catch(() => undefined)
  if (name !== '' && !stat?.isDirectory) {
    if (wanted(name.slice(name.lastIndexOf('/') + 1))) yield name
  } else yield* walk(name, [])
}
