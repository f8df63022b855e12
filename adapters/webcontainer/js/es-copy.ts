import { createDisk } from '../../../src/packages/modules/disk.js'
import { DEFAULT_CONDITIONS } from '../../../src/packages/modules/index.js'
import { lexers } from '../../../src/packages/modules/lexers.js'
import { isNodeBuiltin } from '../../../src/packages/modules/node-builtins.js'
import { createResolver } from '../../../src/packages/modules/resolver.js'
import type { Workspace } from '../../../src/types/workspace.js'

/**
 * A copy of an ES module that runs from a different path than the module's own. `import.meta` and `import()` behave as at the module's own
 * path.
 */
export interface EsCopy {
  readonly code: string
  /** Code of the support module next to the copy. */
  readonly support: string
}

export interface EsText {
  readonly code: string
  /** `path`: virtual path of the module. `host`: full path of the module in the container. */
  readonly path: string
  readonly host: string
}

/** File name of the support module. */
export const SUPPORT_FILE = 'support.mjs'

/**
 * Node imports a module only from a file, and derives the module's location from that file. So this function rewrites import specifiers to
 * absolute URLs, and replaces `import.meta` and `import()`. Line numbers stay the same. `sourceURL` restores the module's name.
 */
export async function copyModule(workspace: Workspace, text: EsText, toHost: (path: string) => string): Promise<EsCopy> {
  const { code, host } = text
  const found = await lex(code)
  const resolver = createResolver(createDisk(workspace), { builtins: new Set(), conditions: DEFAULT_CONDITIONS })
  const url = fileUrl(host)
  const packages = new Map<string, string>()
  for (const each of found) {
    const { specifier } = each
    if (!specifier || !isOfPackage(specifier) || packages.has(specifier)) continue
    const resolution = await resolver.resolve(specifier, text.path, 'import')
    // A missing package gets no entry, so that Node reports it.
    if ('path' in resolution) packages.set(specifier, fileUrl(toHost(resolution.path)))
  }
  const names = { load: unused('load', code), meta: unused('meta', code) }
  const edits = found.flatMap((each): Edit[] => {
    const { start, end } = each
    if (each.type === 'import-meta') return [{ start, end, text: names.meta }]
    if (each.type === 'dynamic')
      return each.hasPhase ? [] : [{ start: each.importStart, end: each.importStart + 'import'.length, text: names.load }]
    const { specifier = '' } = each
    const target = packages.get(specifier) ?? absolute(specifier, url)
    return target === undefined ? [] : [{ start, end, text: target }]
  })
  const imported = `import { load as ${names.load}, meta as ${names.meta} } from './${SUPPORT_FILE}'`
  return {
    code: `${edited(code, edits)}\n${imported}\n//# sourceURL=${shownUrl(host)}`,
    support: supportOf(url, host, packages),
  }
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

async function lex(code: string): Promise<ReturnType<Awaited<ReturnType<typeof lexers>>['module']>['imports']> {
  try {
    return (await lexers()).module(code).imports
  } catch {
    // Return no imports, so that Node reports the syntax error.
    return []
  }
}

function edited(code: string, edits: readonly Edit[]): string {
  let [out, at] = ['', 0]
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    out += code.slice(at, start) + text
    at = end
  }
  return out + code.slice(at)
}

function isOfPackage(specifier: string): boolean {
  return !/^(?:\.\.?(?:\/|$)|\/|[a-z][a-z0-9+.-]*:)/i.test(specifier) && !isNodeBuiltin(specifier)
}

/** Returns the absolute URL of a relative or absolute specifier, or undefined if the specifier needs no change. */
function absolute(specifier: string, url: string): string | undefined {
  if (!/^(?:\.\.?(?:\/|$)|\/)/.test(specifier)) return undefined
  return new URL(specifier, url).href.replaceAll("'", '%27')
}

/** Returns the same URL as `pathToFileURL` of Node. */
export function fileUrl(path: string): string {
  const escaped = path
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[^A-Za-z0-9\-._~!$&()*+,;=:@/]/gu, (character) => encodeURIComponent(character).replaceAll("'", '%27'))
  return `file://${escaped}`
}

/** Returns the URL with `[` and `]` unescaped, which is easier to read. */
const shownUrl = (path: string): string => fileUrl(path).replaceAll('%5B', '[').replaceAll('%5D', ']')

function unused(name: string, code: string): string {
  let found = name
  while (code.includes(found)) found += '_'
  return found
}

function supportOf(url: string, host: string, packages: ReadonlyMap<string, string>): string {
  return `import { createRequire, isBuiltin } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
const url = ${JSON.stringify(url)}
const filename = ${JSON.stringify(host)}
const known = new Map(${JSON.stringify([...packages])})
const require = createRequire(filename)
function resolve(specifier) {
  const asked = String(specifier)
  if (/^(?:[.][.]?(?:[/]|$)|[/])/.test(asked)) return new URL(asked, url).href
  if (/^[a-z][a-z0-9+.-]*:/i.test(asked)) return asked
  if (isBuiltin(asked)) return 'node:' + asked
  if (known.has(asked)) return known.get(asked)
  try {
    return pathToFileURL(require.resolve(asked)).href
  } catch {
    return undefined
  }
}
export const meta = Object.assign(Object.create(null), {
  dirname: dirname(filename),
  filename,
  resolve(specifier) {
    const found = resolve(specifier)
    if (found === undefined) throw Object.assign(new Error("Cannot find package '" + specifier + "' imported from " + filename), { code: 'ERR_MODULE_NOT_FOUND' })
    return found
  },
  url,
})
export const load = async (specifier, options) => {
  const found = resolve(specifier)
  return options === undefined ? import(found ?? specifier) : import(found ?? specifier, options)
}
//# sourceURL=node:internal/modules/support
`
}
