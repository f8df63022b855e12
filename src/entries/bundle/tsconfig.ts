import { isRecord } from '../../ops/is-record.js'
import { joined } from '../../packages/modules/specifiers.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath, parentPath } from '../../workspace/paths.js'

/** The settings of a `tsconfig.json` or `jsconfig.json` that the bundler uses. */
export interface TsConfig {
  /** For `tsconfigRaw` of esbuild. */
  readonly compilerOptions: Readonly<Record<string, unknown>>
  /** Virtual path that bare specifiers may be relative to. */
  readonly baseUrl?: string
  /** Patterns with at most one `*`, and the virtual paths that they map to. */
  readonly paths: ReadonlyMap<string, readonly string[]>
}

type Note = (path: string) => Promise<void>

const MOST_PARENTS = 10
const NONE: TsConfig = { compilerOptions: {}, paths: new Map() }

/**
 * Reads `tsconfig.json`, else `jsconfig.json`, of a folder, with the relative files that it extends. Calls `note` with each path before
 * reading, even if the file does not exist.
 *
 * @throws {Error} with the path, for a file that is not a JSON object
 */
export async function readTsConfig(workspace: Workspace, folder: string, note: Note): Promise<TsConfig> {
  for (const name of ['tsconfig.json', 'jsconfig.json']) {
    const path = joinPath(folder, name)
    await note(path)
    if (await workspace.exists(path)) return read(workspace, path, note, 0)
  }
  return NONE
}

async function read(workspace: Workspace, path: string, note: Note, depth: number): Promise<TsConfig> {
  const json = parseJsonc((await workspace.readText(path)).text, path)
  const folder = parentPath(path)
  const own = isRecord(json.compilerOptions) ? json.compilerOptions : {}
  const parents =
    depth < MOST_PARENTS ? [json.extends].flat().filter((one): one is string => typeof one === 'string' && one.startsWith('.')) : []
  let inherited = NONE
  for (const parent of parents) {
    const target = joined(folder, /\.json$/.test(parent) ? parent : `${parent}.json`)
    await note(target)
    if (await workspace.exists(target)) inherited = merge(inherited, await read(workspace, target, note, depth + 1))
  }
  const baseUrl = typeof own.baseUrl === 'string' ? joined(folder, own.baseUrl) : undefined
  return merge(inherited, {
    compilerOptions: own,
    ...(baseUrl !== undefined && { baseUrl }),
    paths: pathsOf(own.paths, baseUrl ?? folder),
  })
}

function merge(below: TsConfig, above: TsConfig): TsConfig {
  return {
    ...below,
    ...above,
    compilerOptions: { ...below.compilerOptions, ...above.compilerOptions },
    paths: above.paths.size > 0 ? above.paths : below.paths,
  }
}

function pathsOf(paths: unknown, folder: string): ReadonlyMap<string, readonly string[]> {
  const entries = isRecord(paths) ? Object.entries(paths) : []
  const texts = (value: unknown): string[] => [value].flat().filter((one): one is string => typeof one === 'string')
  return new Map(entries.map(([pattern, targets]) => [pattern, texts(targets).map((target) => joined(folder, target))]))
}

/** Maps a specifier with the most specific pattern in `paths` that matches. Returns virtual paths to try in order. */
export function mapPaths({ paths }: TsConfig, specifier: string): readonly string[] {
  const exact = paths.get(specifier)
  if (exact && !specifier.includes('*')) return exact
  let best: { readonly start: string; readonly star: string; readonly targets: readonly string[] } | undefined
  for (const [pattern, targets] of paths) {
    const [start = '', end, ...more] = pattern.split('*')
    if (end === undefined || more.length > 0 || specifier.length < start.length + end.length) continue
    if (!specifier.startsWith(start) || !specifier.endsWith(end) || (best && best.start.length >= start.length)) continue
    best = { start, star: specifier.slice(start.length, specifier.length - end.length), targets }
  }
  return best ? best.targets.map((target) => target.replace('*', () => best.star)) : []
}

/** Parses JSON with comments and trailing commas. @throws {Error} if the text is not a JSON object */
function parseJsonc(text: string, path: string): Record<string, unknown> {
  const plain = text
    .replace(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (token) => (token.startsWith('"') ? token : ' '))
    .replace(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, (token) => (token.startsWith('"') ? token : ''))
  let json: unknown
  try {
    json = JSON.parse(plain)
  } catch (error) {
    throw new Error(`Cannot read "${path}": it is not valid JSON (${error instanceof Error ? error.message : error})`)
  }
  if (!isRecord(json)) throw new Error(`Cannot read "${path}": it must be a JSON object`)
  return json
}
