import { joined } from '../../packages/modules/specifiers.js'
import { parentPath, relativePath } from '../../workspace/paths.js'
import type { BundlerOptions } from './options.js'
import { entriesOf, mappedElsewhere, type PageEntry, replaceEntries, withAttribute } from './page.js'
import { type Reading, versionOf } from './reading.js'
import { readTsConfig, type TsConfig } from './tsconfig.js'

interface Entry {
  /** Virtual path of a file, or `<page>#<index>` of an inline module. */
  readonly input: string
  /** Name of the output without its extension. */
  readonly name: string
}

interface PageOfApp {
  readonly path: string
  readonly html: string
  /** Inputs of the page's entries, in order. */
  readonly inputs: readonly string[]
}

/** The inputs of a build. */
export interface Plan {
  readonly pages: readonly PageOfApp[]
  readonly entries: readonly Entry[]
  /** Input -> code of an inline module. */
  readonly inline: ReadonlyMap<string, string>
  readonly tsconfig: TsConfig
  /** Specifiers that import maps of the pages map to other origins. A trailing `*` matches anything. */
  readonly mapped: readonly string[]
}

/** Reads the pages and the configuration of an app. Records in `reading` what the plan depends on. @throws {Error} for unreadable files */
export async function makePlan({ workspace, entryPoints }: BundlerOptions, root: string, reading: Reading): Promise<Plan> {
  const note = async (path: string): Promise<void> => void reading.inputs.set(path, await versionOf(workspace, path))
  const tsconfig = await readTsConfig(workspace, root, note)
  const pages: PageOfApp[] = []
  const mapped: string[] = []
  const inline = new Map<string, string>()
  const entries = new Map<string, Entry>()
  for (const entryPoint of entryPoints ?? ['index.html']) {
    const path = workspace.resolve(joined(root, entryPoint))
    if (!entryPoints && !(await workspace.exists(path))) {
      reading.inputs.set(path, '')
      continue
    }
    if (!/\.html?$/i.test(path)) {
      entries.set(path, entryFor(path, root))
      continue
    }
    reading.inputs.set(path, '')
    const { text: html, version } = await workspace.readText(path)
    reading.inputs.set(path, version)
    mapped.push(...mappedElsewhere(html))
    const inputs: string[] = []
    for (const [index, entry] of entriesOf(html).entries()) {
      const input = entry.url === undefined ? `${path}#${index}` : await inputOf(entry.url, path)
      if (entry.code !== undefined) inline.set(input, '\n'.repeat((entry.line ?? 1) - 1) + entry.code)
      inputs.push(input)
      entries.set(input, entryFor(input, root))
    }
    pages.push({ path, html, inputs })
  }
  return { pages, entries: [...entries.values()], inline, tsconfig, mapped }

  /** The file that a page refers to. Paths with a leading slash start at the root of the site. */
  async function inputOf(url: string, page: string): Promise<string> {
    const written = decodeURIComponent(url.replace(/[?#].*$/s, ''))
    const path = written.startsWith('/') ? joined(root, written.slice(1)) : joined(parentPath(page), written)
    for (const candidate of [path, joined(root, `public/${written.replace(/^\/+/, '')}`)]) {
      if (await workspace.exists(candidate)) return candidate
      reading.inputs.set(candidate, '')
    }
    return path
  }
}

function entryFor(input: string, root: string): Entry {
  const name = relativePath(input, root).replace(/\.[^./]+?(?:#(\d+))?$/, (_, index?: string) => (index === undefined ? '' : `-${index}`))
  return { input, name: `assets/${name}${/\.css$/.test(input) ? '-style' : ''}` }
}

/** The outputs of an entry, relative to the root. */
export interface EntryOutput {
  readonly file: string
  readonly css: string | undefined
}

/** The page with its entries replaced by their outputs. `packages` is a script, relative to the root, that runs before the first entry. */
export function pageWith(
  { path, html, inputs }: PageOfApp,
  root: string,
  outputs: ReadonlyMap<string, EntryOutput>,
  packages: string | undefined,
): string {
  const up = '../'.repeat(relativePath(path, root).split('/').length - 1) || './'
  let before = packages === undefined ? '' : `<script src="${up}${packages}"></script>`
  let index = 0
  return replaceEntries(html, (entry: PageEntry) => {
    const output = outputs.get(inputs[index++] ?? '')
    if (!output) return html.slice(entry.start, entry.end)
    if (entry.kind === 'style') return withAttribute(entry.tag, 'href', up + output.file)
    const script = withAttribute(withAttribute(entry.tag, 'type', 'module'), 'src', up + output.file)
    const style = output.css === undefined ? '' : `<link rel="stylesheet" href="${up}${output.css}">`
    const first = before
    before = ''
    // Keeps the line breaks, so that later lines keep their numbers.
    return `${first}${style}${script}${html.slice(entry.start + entry.tag.length, entry.end).replace(/[^\n]+/g, '')}</script>`
  })
}
