import { isRecord } from '../../ops/is-record.js'

// Finds the scripts and stylesheets of a page, which are entry points, and replaces them by their outputs.

/** A script or stylesheet of a page, for the bundler to build. */
export interface PageEntry {
  /** Path from the root of the site (with a leading slash) or relative to the page; undefined for an inline module. */
  readonly url?: string
  /** Code of an inline module. */
  readonly code?: string
  /** Line of the page at which an inline module begins, from 1. */
  readonly line?: number
  readonly kind: 'script' | 'style'
  readonly start: number
  readonly end: number
  readonly tag: string
}

const TAGS =
  /<!--[\s\S]*?(?:-->|$)|(<script\b(?:[^<>"']|"[^"]*"|'[^']*')*>)([\s\S]*?)(<\/script\s*>|$)|(<link\b(?:[^<>"']|"[^"]*"|'[^']*')*>)/gi
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i

/** Entry points of a page, in page order. Classic inline scripts and external URLs are not entry points. */
export function entriesOf(html: string): readonly PageEntry[] {
  const entries: PageEntry[] = []
  for (const { 0: all, 1: script, 2: code = '', 3: end, 4: link, index } of html.matchAll(TAGS)) {
    const place = { start: index, end: index + all.length }
    if (script !== undefined && end) {
      const url = attribute(script, 'src')
      const isModule = attribute(script, 'type')?.toLowerCase() === 'module'
      if (url && !ELSEWHERE.test(url)) {
        // Classic scripts share globals, and modules do not, so plain classic scripts are not bundled. TypeScript and JSX become modules.
        if (isModule || /\.(?:[cm]?tsx?|jsx)$/.test(url)) entries.push({ ...place, kind: 'script', url, tag: script })
      } else if (url === undefined && isModule) {
        const line = html.slice(0, index + script.length).split('\n').length
        entries.push({ ...place, kind: 'script', code, line, tag: script })
      }
    } else if (link !== undefined && /(?:^|\s)stylesheet(?:\s|$)/i.test(attribute(link, 'rel') ?? '')) {
      const url = attribute(link, 'href')
      if (url && !ELSEWHERE.test(url)) entries.push({ ...place, kind: 'style', url, tag: link })
    }
  }
  return entries
}

/** Replaces each entry of a page by `replace(entry)`. */
export function replaceEntries(html: string, replace: (entry: PageEntry) => string): string {
  let done = ''
  let at = 0
  for (const entry of entriesOf(html)) {
    done += html.slice(at, entry.start) + replace(entry)
    at = entry.end
  }
  return done + html.slice(at)
}

/** Sets an attribute of a tag. */
export function withAttribute(tag: string, name: string, value: string): string {
  const without = tag.replace(pattern(name), '')
  return without.replace(/\s*\/?>$/, ` ${name}="${value.replace(/[&"]/g, (one) => `&#${one.charCodeAt(0)};`)}">`)
}

function attribute(tag: string, name: string): string | undefined {
  const match = pattern(name).exec(tag)
  if (!match) return undefined
  const value = match[1] ?? match[2] ?? match[3] ?? ''
  return value.replace(/&amp;/g, '&').replace(/&quot;|&#34;/g, '"')
}

const pattern = (name: string): RegExp => new RegExp(`\\s${name}(?:\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+)))?(?=[\\s>/])`, 'i')

const LOADING = /<!--[\s\S]*?(?:-->|$)|(<(?:img|source|video|audio|track|embed|object|input|link|script)\b(?:[^<>"']|"[^"]*"|'[^']*')*>)/gi

/** Local URLs of files that a page loads: images, icons, media, classic scripts. */
export function filesNamedBy(html: string): readonly string[] {
  const urls = [...html.matchAll(LOADING)].flatMap(([, tag]) => {
    if (tag === undefined) return []
    const sets = attribute(tag, 'srcset')?.split(/,\s+|\s+[\d.]+[wx],?/) ?? []
    return [...['src', 'href', 'poster', 'data'].map((name) => attribute(tag, name)), ...sets]
  })
  return urls.flatMap((url) => (url === undefined || url.trim() === '' || ELSEWHERE.test(url.trim()) ? [] : [url.trim()]))
}

/** Specifiers that an import map of the page maps to another origin. A specifier that ends with `/`, such as `lit/`, becomes `lit/*`. */
export function mappedElsewhere(html: string): readonly string[] {
  return [...html.matchAll(TAGS)].flatMap(([, script, code = '']) => {
    if (script === undefined || attribute(script, 'type')?.toLowerCase() !== 'importmap') return []
    const imports = importsOf(code)
    return Object.entries(imports).flatMap(([specifier, target]) => {
      if (typeof target !== 'string' || !ELSEWHERE.test(target)) return []
      return [specifier.endsWith('/') ? `${specifier}*` : specifier]
    })
  })
}

function importsOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const map: unknown = JSON.parse(json)
    return isRecord(map) && isRecord(map.imports) ? map.imports : {}
  } catch {
    // Browsers ignore an invalid import map too.
    return {}
  }
}
