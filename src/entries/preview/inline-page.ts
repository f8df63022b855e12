import { toBase64 } from '../../ops/base64.js'
import { isRecord } from '../../ops/is-record.js'
import { clientScript } from './client-script.js'
import { InlineModules, named, scriptUrl } from './inline-modules.js'
import { type SiteFile, textOf } from './read-body.js'
import { escapeHtml } from './respond.js'

/** What inlining needs to know about the site. */
export interface Inlining {
  /** URL of the site's root. */
  readonly base: string
  readonly policy: string
  readonly load: (url: string) => Promise<SiteFile>
  /** Called with the URL and the status of each file that the page refers to and that cannot be loaded. */
  readonly onMissing: (url: string, status: number) => void
}

const CSS_URL = /\/\*[\s\S]*?\*\/|(@import\s+(?:url\(\s*)?|url\(\s*)(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"')]+))(\s*\))?/g
const MOST_CSS_DEPTH = 10

/**
 * Converts a page to one document that contains its scripts, modules, stylesheets and images as `data:` URLs, because a frame without an
 * origin cannot load anything else. The client script comes first.
 */
export async function inlinePage(file: SiteFile, url: string, inlining: Inlining): Promise<string> {
  if (!file.type.startsWith('text/html')) return inlineFile(file, url, inlining)
  const html = textOf(file)
  const page = new DOMParser().parseFromString(html, 'text/html')
  keepLines(page, html, url)
  const own = page.querySelector('base[href]')
  const href = own?.getAttribute('href') ?? url
  const address = URL.canParse(href, url) ? new URL(href, url).href : url
  for (const element of page.querySelectorAll('base')) element.remove()
  const codes = await inlineElements(page, address, inlining)
  return written(page, address, inlining, codes)
}

/** Makes stacks of inline scripts show the address and the line numbers of their page. */
function keepLines(page: Document, html: string, url: string): void {
  let at = 0
  const source = html.replace(/\r\n?/g, '\n')
  for (const script of page.querySelectorAll('script:not([src])')) {
    const code = script.textContent ?? ''
    if (code === '' || !/^(?:module|)$|javascript$/i.test(script.getAttribute('type') ?? '')) continue
    const index = source.indexOf(code, at)
    if (index >= 0) at = index + code.length
    script.textContent = named('\n'.repeat(source.slice(0, Math.max(0, index)).split('\n').length - 1) + code, url)
  }
}

/** Wraps an image or text file in a page. */
function inlineFile(file: SiteFile, url: string, inlining: Inlining): string {
  const page = new DOMParser().parseFromString('<!doctype html><title></title>', 'text/html')
  page.title = new URL(url).pathname
  const isImage = file.type.startsWith('image/')
  const shown = isImage ? { src: dataUrl(file), alt: page.title } : { textContent: textOf(file) }
  page.body.append(Object.assign(page.createElement(isImage ? 'img' : 'pre'), shown))
  return written(page, url, inlining)
}

/** The elements that come before everything else. The element `mark` stands for the base element. */
function headOf(page: Document, { base, policy }: Inlining, mark: string): Element[] {
  const meta = page.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = policy
  const client = page.createElement('script')
  client.textContent = clientScript({ base, inlined: true }).replaceAll('</script', '<\\/script')
  const charset = page.createElement('meta')
  charset.setAttribute('charset', 'utf-8')
  return [charset, meta, page.createElement(mark), client]
}

/**
 * Serialises the page. Inserts the base element as text, because the policy of the embedding page would block it in a parsed document.
 * Inserts the code of scripts as text too, because megabytes of it would take long to serialise.
 */
function written(page: Document, address: string, inlining: Inlining, codes: ReadonlyMap<HTMLScriptElement, string> = new Map()): string {
  // If the page knew the mark, it could have code inserted before its content security policy.
  const mark = `preview-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  page.head.prepend(...headOf(page, inlining, mark))
  for (const [index, script] of [...codes.keys()].entries()) script.textContent = `${mark}:${index};`
  const all = [...codes.values()]
  const html = page.documentElement.outerHTML
    .replace(`<${mark}></${mark}>`, () => `<base href="${escapeHtml(address)}">`)
    .replace(new RegExp(`${mark}:(\\d+);`, 'g'), (_, index: string) => all[Number(index)] ?? '')
  return `<!doctype html>\n${html}`
}

/** Inlines the elements of the page. Returns the code of scripts whose elements stay empty for now. */
async function inlineElements(page: Document, address: string, inlining: Inlining): Promise<ReadonlyMap<HTMLScriptElement, string>> {
  const { base } = inlining
  const absolute = (written: string | null): string => {
    try {
      return new URL(written ?? '', address).href
    } catch {
      return ''
    }
  }
  const isOfSite = (url: string): boolean => url.startsWith(base)
  const readOwn = (url: string): Promise<string | undefined> => readText(inlining, url)
  const modules = new InlineModules(readOwn, base)
  const ownMap = await readImportMap(page, absolute, modules)

  for (const link of page.querySelectorAll('link[href]')) {
    const url = absolute(link.getAttribute('href'))
    if (!isOfSite(url)) continue
    if (link.matches('[rel~=stylesheet]')) {
      link.setAttribute('data-preview-url', url)
      const text = await readOwn(url)
      if (text !== undefined) link.setAttribute('href', cssUrl(await inlineCss(text, url, inlining)))
    } else link.remove()
  }
  for (const style of page.querySelectorAll('style')) style.textContent = await inlineCss(style.textContent ?? '', address, inlining)
  for (const [selector, name] of [
    ['img[src],source[src],video[src],audio[src],input[src]', 'src'],
    ['video[poster]', 'poster'],
  ] as const) {
    for (const element of page.querySelectorAll(selector)) {
      const url = absolute(element.getAttribute(name))
      if (isOfSite(url)) element.setAttribute(name, (await fileUrl(inlining, url)) ?? url)
    }
  }
  const moduleScripts = new Map<HTMLScriptElement, string>()
  const codes = new Map<HTMLScriptElement, string>()
  // Scripts of SVG load nothing from `src`, and their text is markup.
  for (const script of page.querySelectorAll<HTMLScriptElement>('script:not(svg *, math *)'))
    await inlineScript(script, { absolute, isOfSite, readText: readOwn, modules, moduleScripts, codes, address })
  for (const [script, url] of moduleScripts) codes.set(script, modules.scriptText(url))
  for (const script of codes.keys()) script.removeAttribute('src')

  const imports = { ...modules.imports, ...ownMap }
  if (Object.keys(imports).length === 0) return codes
  const map = page.createElement('script')
  map.type = 'importmap'
  map.textContent = JSON.stringify({ imports }).replaceAll('<', '\\u003c')
  page.head.prepend(map)
  return codes
}

interface ScriptContext {
  readonly absolute: (written: string | null) => string
  readonly isOfSite: (url: string) => boolean
  readonly readText: (url: string) => Promise<string | undefined>
  readonly modules: InlineModules
  /** Receives the script elements that name a module, each with the module's URL. */
  readonly moduleScripts: Map<HTMLScriptElement, string>
  /** Receives the script elements that name a classic script, each with the script's code. */
  readonly codes: Map<HTMLScriptElement, string>
  readonly address: string
}

async function inlineScript(
  script: HTMLScriptElement,
  { absolute, isOfSite, readText, modules, moduleScripts, codes, address }: ScriptContext,
): Promise<void> {
  const isModule = script.type.toLowerCase() === 'module'
  const isClassic = script.type === '' || /javascript$/i.test(script.type)
  const written = script.getAttribute('src')
  if (written === null) {
    // This text came from a parser, so it contains no `</script` that would end the element.
    if (isModule) script.textContent = await modules.rewrite(script.textContent ?? '', address)
    return
  }
  const url = absolute(written)
  if (!isOfSite(url)) return
  script.removeAttribute('integrity')
  script.removeAttribute('crossorigin')
  script.setAttribute('data-preview-url', url)
  if (isModule) {
    if (await modules.addScript(url)) moduleScripts.set(script, url)
  } else if (isClassic) {
    const code = await readText(url)
    if (code === undefined) return
    // Keep a URL for scripts that need `load` events, `defer` or `async`, which inline scripts do not have.
    const isPlain = !/<\/script|<!--/i.test(code) && !script.getAttributeNames().some((name) => /^(?:on.*|defer|async)$/.test(name))
    if (isPlain) codes.set(script, named(code, url))
    else script.src = scriptUrl(code, url)
  }
}

/** Reads the import map of the page, and inlines the targets that belong to the site. */
async function readImportMap(
  page: Document,
  absolute: (written: string) => string,
  modules: InlineModules,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const script of page.querySelectorAll('script[type=importmap]')) {
    script.remove()
    let map: unknown
    try {
      map = JSON.parse(script.textContent ?? '')
    } catch {
      continue
    }
    const imports = isRecord(map) && isRecord(map.imports) ? map.imports : {}
    for (const [specifier, target] of Object.entries(imports)) {
      if (typeof target !== 'string') continue
      const url = absolute(target)
      await modules.add(url)
      found[specifier] = modules.urlOf(url) ?? url
    }
  }
  return found
}

/** Maximum number of imports of one stylesheet, including nested ones, because a stylesheet can import itself. */
const MOST_CSS_IMPORTS = 200

/** Inlines the images, fonts and imports of a stylesheet. */
export async function inlineCss(
  css: string,
  url: string,
  inlining: Inlining,
  depth = 0,
  left: { imports: number } = { imports: MOST_CSS_IMPORTS },
): Promise<string> {
  let done = ''
  let at = 0
  for (const { 0: all, 1: start, 2: double, 3: single, 4: bare, 5: close = '', index } of css.matchAll(CSS_URL)) {
    const written = double ?? single ?? bare
    if (start === undefined || written === undefined || /^(?:data:|#|blob:)/.test(written) || !URL.canParse(written, url)) continue
    const target = new URL(written, url).href
    const isImport = start.startsWith('@')
    const inlined = !target.startsWith(inlining.base)
      ? target
      : isImport
        ? depth < MOST_CSS_DEPTH && left.imports-- > 0
          ? // The fragment contains the imported file's URL: when that file changes, the client script refreshes the sheet.
            `${cssUrl(await inlineCss((await readText(inlining, target)) ?? '', target, inlining, depth + 1, left))}#${target.split('#')[0]}`
          : 'data:text/css,'
        : ((await fileUrl(inlining, target)) ?? target)
    done += `${css.slice(at, index)}${start}"${inlined}"${close}`
    at = index + all.length
  }
  return done + css.slice(at)
}

const cssUrl = (css: string): string => `data:text/css;charset=utf-8,${encodeURIComponent(css)}`

async function fileUrl(inlining: Inlining, url: string): Promise<string | undefined> {
  const file = await loadFound(inlining, url)
  return file && dataUrl(file)
}

const dataUrl = ({ bytes, type }: SiteFile): string => `data:${type.replaceAll(' ', '')};base64,${toBase64(bytes)}`

async function readText(inlining: Inlining, url: string): Promise<string | undefined> {
  const file = await loadFound(inlining, url)
  return file && textOf(file)
}

async function loadFound({ load, onMissing }: Inlining, url: string): Promise<SiteFile | undefined> {
  const file = await load(url)
  if (file.status >= 200 && file.status < 300) return file
  onMissing(url, file.status)
  return undefined
}

/** Returns a page without scripts that says why nothing is shown. */
export function noticePage(text: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Stopped</title><body style="font:15px/1.5 system-ui,sans-serif;margin:3rem auto;max-width:30rem;padding:0 1rem;color-scheme:light dark"><p>${escapeHtml(text)}</p>`
}
