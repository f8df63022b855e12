import { required } from '../../errors/required.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { FsStat } from '../../types/fs.js'
import type { BuildMessage, BuildResult, Bundler } from '../../types/preview.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath } from '../../workspace/paths.js'
import { mediaTypeOf } from '../shared/media-type.js'
import { clientScript } from './client-script.js'
import { checkGrants, contentSecurityPolicy, type PreviewGrants } from './headers.js'
import { clientUrl, insertFirst, rebase } from './html.js'
import { askProgram, type PreviewProgram, programRequest, programResponse } from './program-pages.js'
import { parseRange } from './range.js'
import { TooLargeError } from './read-body.js'
import { nearby, problem, respond, statusOf } from './respond.js'

/** Options of `createPreviewHandler`. Only `workspace` is required. */
export interface PreviewHandlerOptions {
  readonly workspace: Workspace
  /** Folder of the workspace that contains the site. Default: the root of the workspace. */
  readonly root?: string
  /** URL path of the site, which starts and ends with a slash. Default `/`. */
  readonly base?: string
  /**
   * The page that is served for navigations to paths without a file: `true` means `index.html`. Default false: such navigations get a 404.
   */
  readonly spaFallback?: boolean | string
  /** A bundler whose outputs are served before the files of the workspace. Default: none. */
  readonly bundler?: Pick<Bundler, 'build'>
  /** A folder whose files are served as if they were in the root. Files in the root take precedence. Default `public`. */
  readonly publicFolder?: string
  /** Whether to serve files and folders whose names begin with a dot. Default false. */
  readonly hidden?: boolean
  /** Sources outside the workspace that the content security policy allows. Default: none. */
  readonly grants?: PreviewGrants
  /**
   * Whether to give pages an opaque origin (`sandbox` of CSP), for a site that shares its origin with other content. A page with an opaque
   * origin has no storage and no cookies. Default false.
   */
  readonly sandbox?: boolean
  /** An HTTP program that answers before the workspace, with every method. Default: none. */
  readonly program?: PreviewProgram
  /** Headers of every response. They override those of the handler. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether to add the client script to pages, which sends reports to the preview and reloads the page. Default false. */
  readonly client?: boolean
  /** Called with each requested virtual path and the version of its file; the version is undefined if the file does not exist. */
  readonly onServe?: (path: string, version: string | undefined) => void
  /** Called with each build that a request started or used. */
  readonly onBuild?: (result: BuildResult) => void
}

/** Options that only the previews of this package use. */
export interface SessionHandlerOptions extends PreviewHandlerOptions {
  /** Called for each served page with the build that the page comes from; undefined without a bundler. */
  readonly onPage?: (build: BuildResult | undefined) => void
  /** Called with each request that gets status 413 because of the size of its response. */
  readonly onTooLarge?: (request: Request, error: TooLargeError) => void
  /** Maximum number of bytes read from a file. Default: no limit. */
  readonly mostBytes?: number
}

interface Site extends SessionHandlerOptions {
  readonly folder: string
  readonly base: string
}

type Found =
  | { readonly kind: 'file'; readonly path: string; readonly stat: FsStat }
  | { readonly kind: 'dir' }
  | { readonly kind: 'output'; readonly path: string; readonly bytes: Uint8Array }
  | undefined

const SANDBOX = 'sandbox allow-scripts allow-forms allow-modals'

/**
 * Creates a function that answers requests from a workspace: files with their types, `index.html` for folders, ETags, byte ranges, and 404
 * pages that suggest similar names. The function never rejects. It answers only GET and HEAD, and serves only files in `root`.
 *
 * @throws {TypeError} without a workspace; for a `root` outside it; for a `base` without slashes; for a grant that is not an origin
 */
export function createPreviewHandler(options: PreviewHandlerOptions): (request: Request) => Promise<Response> {
  return createSessionHandler(options)
}

/** `createPreviewHandler` with the options that only the previews of this package set. */
export function createSessionHandler(options: SessionHandlerOptions): (request: Request) => Promise<Response> {
  const { workspace, base = '/', grants = {}, sandbox = false } = { ...options }
  required('createPreviewHandler', 'the option "workspace", a Workspace', workspace, 'readBytes')
  if (!/^\/(?:[^?#]*\/)?$/.test(base))
    throw new TypeError(`createPreviewHandler: "base" must start and end with "/", not ${JSON.stringify(base)}`)
  checkGrants(grants)
  const site: Site = { ...options, base, folder: workspace.resolve(options.root ?? workspace.root) }
  const common: Record<string, string> = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-dns-prefetch-control': 'off',
    'cross-origin-resource-policy': sandbox ? 'cross-origin' : 'same-origin',
    'content-security-policy': contentSecurityPolicy(grants, "'self'") + (sandbox ? `; ${SANDBOX}` : ''),
    // A page with an opaque origin requests its modules and fonts with the origin `null`.
    ...(sandbox && { 'access-control-allow-origin': '*' }),
    ...options.headers,
  }
  return async (request) => {
    const response = await answer(site, request).catch((error: unknown) => failed(site, request, error))
    for (const [name, value] of Object.entries(common)) response.headers.set(name, value)
    return response
  }
}

async function answer(site: Site, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  if (!pathname.startsWith(site.base)) return problem(request, 404, `The preview begins at "${site.base}"`, [])
  if (pathname === clientUrl(site.base)) {
    return respond(request, 200, { 'content-type': 'text/javascript; charset=utf-8' }, clientScript({ base: site.base }))
  }
  const answered = site.program && (await ofProgram(site, request, site.program))
  if (answered) return answered
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const response = problem(request, 405, `A preview answers GET and HEAD, not ${request.method}`, [])
    response.headers.set('allow', 'GET, HEAD')
    return response
  }
  const path = decodePath(pathname.slice(site.base.length))
  if (path === undefined) return problem(request, 400, `Cannot serve "${pathname}": the path is invalid`, [])
  if (!site.hidden && path.split('/').some((name) => name.startsWith('.'))) return notFound(site, request, path)

  const build = await site.bundler?.build()
  if (build) site.onBuild?.(build)
  const found = await find(site, path, build)
  if (found?.kind === 'dir') {
    if (!pathname.endsWith('/')) return redirect(`${pathname}/${search}`)
    return index(site, request, path, build)
  }
  if (found) return serve(site, request, found, build)
  return fallback(site, request, path, build)
}

async function ofProgram(site: Site, request: Request, program: PreviewProgram): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url)
  try {
    const url = new URL(`${program.origin}/${pathname.slice(site.base.length)}${search}`).href
    const answered = await askProgram(program, await programRequest(url, request))
    const addClient = (html: string) => insertFirst(rebase(html, site.base), clientTag(site))
    return answered && (await programResponse(answered, { base: site.base, url, addClient, signal: request.signal }))
  } catch (error) {
    request.signal.throwIfAborted()
    if (error instanceof TooLargeError) throw error
    const [title = '', ...lines] = (error instanceof Error ? error.message : String(error)).split('\n')
    return problem(request, 502, title, lines, clientTag(site))
  }
}

/** Serves the `index.html` of a folder. */
async function index(site: Site, request: Request, folder: string, build: BuildResult | undefined): Promise<Response> {
  const page = await find(site, folder === '' ? 'index.html' : `${folder.replace(/\/$/, '')}/index.html`, build)
  if (page && page.kind !== 'dir') return serve(site, request, page, build)
  return fallback(site, request, `${folder}index.html`, build)
}

async function fallback(site: Site, request: Request, path: string, build: BuildResult | undefined): Promise<Response> {
  const { spaFallback = false } = site
  const isPage = request.headers.get('accept')?.includes('text/html') ?? false
  if (spaFallback !== false && isPage) {
    const page = await find(site, spaFallback === true ? 'index.html' : spaFallback.replace(/^\/+/, ''), build)
    if (page && page.kind !== 'dir') return serve(site, request, page, build, true)
  }
  return notFound(site, request, path)
}

async function notFound(site: Site, request: Request, path: string): Promise<Response> {
  const virtual = joinPath(site.folder, path.replace(/\/$/, ''))
  const near = await nearby(site.workspace, virtual, (name) => site.hidden === true || !name.startsWith('.'))
  return problem(request, 404, `Cannot show "/${path}": no file is at "${virtual}"`, near, clientTag(site))
}

function failed(site: Site, request: Request, error: unknown): Response {
  const isTooLarge = error instanceof TooLargeError
  if (isTooLarge) site.onTooLarge?.(request, error)
  const status = isTooLarge ? 413 : (statusOf(error) ?? 500)
  return problem(request, status, error instanceof Error ? error.message : String(error), [], clientTag(site))
}

async function find(site: Site, path: string, build: BuildResult | undefined): Promise<Found> {
  const name = path.replace(/\/$/, '')
  const output = build?.outputs.find((one) => one.path === name)
  if (output) return { kind: 'output', path: output.path, bytes: output.bytes }
  const own = await look(site, name)
  if (own || name === '') return own
  const inPublic = await look(site, `${site.publicFolder ?? 'public'}/${name}`)
  return inPublic?.kind === 'file' ? inPublic : undefined
}

async function look({ workspace, folder, onServe }: Site, name: string): Promise<Found> {
  const path = name === '' ? folder : joinPath(folder, name)
  try {
    const stat = await workspace.stat(path, 'show')
    if (stat.kind === 'dir') return { kind: 'dir' }
    onServe?.(path, versionOf(stat))
    return { kind: 'file', path, stat }
  } catch (error) {
    if (statusOf(error) !== 404) throw error
    onServe?.(path, undefined)
    return undefined
  }
}

/** Returns a version that changes with the content of the file. */
export function versionOf({ version, size, mtimeMs }: FsStat): string {
  return version ?? `${size}-${mtimeMs}`
}

async function serve(
  site: Site,
  request: Request,
  found: Exclude<Found, undefined | { kind: 'dir' }>,
  build: BuildResult | undefined,
  isElsewhere = false,
): Promise<Response> {
  const type = typeOf(found.path)
  if (type.startsWith('text/html')) return page(site, request, await wholeOf(site, request, found), build, isElsewhere)
  if (found.kind === 'output') return respond(request, 200, { 'content-type': type }, found.bytes)
  return file(site, request, found.path, found.stat, type)
}

async function file(site: Site, request: Request, path: string, stat: FsStat, type: string): Promise<Response> {
  const { workspace } = site
  const etag = `"${encodeURIComponent(versionOf(stat))}"`
  const headers = { 'content-type': type, 'accept-ranges': 'bytes', etag }
  if (
    request.headers
      .get('if-none-match')
      ?.split(/\s*,\s*/)
      .some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
  ) {
    return respond(request, 304, headers, '')
  }
  const ifRange = request.headers.get('if-range')
  const range = ifRange !== null && ifRange !== etag ? 'none' : parseRange(request.headers.get('range'), stat.size)
  if (range === 'invalid') return respond(request, 416, { ...headers, 'content-range': `bytes */${stat.size}` }, '')
  if (request.method === 'HEAD') return new Response(null, { headers: { ...headers, 'content-length': String(stat.size) } })
  if (range === 'none') {
    checkSize(site, request, stat.size)
    return respond(request, 200, headers, (await workspace.readBytes(path)).bytes)
  }
  const { first, last } = range
  // RFC 9110, 14.2: a server may send only a part of the range. Browsers request a video with `bytes=0-`.
  const length = Math.min(last - first + 1, site.mostBytes ?? Number.POSITIVE_INFINITY)
  const { bytes } = await workspace.readBytes(path, { offset: first, length })
  return respond(request, 206, { ...headers, 'content-range': `bytes ${first}-${first + bytes.length - 1}/${stat.size}` }, bytes)
}

async function wholeOf(site: Site, request: Request, found: Exclude<Found, undefined | { kind: 'dir' }>): Promise<Uint8Array> {
  if (found.kind === 'output') return found.bytes
  checkSize(site, request, found.stat.size)
  return (await site.workspace.readBytes(found.path)).bytes
}

/** @throws {TooLargeError} */
function checkSize({ mostBytes = Number.POSITIVE_INFINITY }: Site, { url }: Request, bytes: number): void {
  if (bytes > mostBytes) throw new TooLargeError(url)
}

/**
 * Serves a page. `isElsewhere`: the page is served at another URL than its own, so relative URLs of outputs must be made relative to the
 * root.
 */
function page(site: Site, request: Request, bytes: Uint8Array, build: BuildResult | undefined, isElsewhere: boolean): Response {
  site.onPage?.(build)
  if (build && !build.ok) return buildFailed(site, request, build.errors)
  const text = decodeUtf8(bytes)
  // The page is not UTF-8: serve its bytes unchanged, because the page may declare its encoding itself.
  if (text === undefined) return respond(request, 200, { 'content-type': 'text/html' }, bytes)
  const own = isElsewhere ? (build?.outputs ?? []).reduce((all, { path }) => all.replaceAll(`="./${path}"`, `="/${path}"`), text) : text
  const html = insertFirst(rebase(own, site.base), clientTag(site))
  return respond(request, 200, { 'content-type': 'text/html; charset=utf-8' }, html)
}

function buildFailed(site: Site, request: Request, errors: readonly BuildMessage[]): Response {
  const lines = errors.flatMap(({ text, file, line, column, code }) => [
    file === undefined ? text : `${file}${line === undefined ? '' : `:${line}:${column ?? 1}`}: ${text}`,
    ...(code === undefined ? [] : [code]),
  ])
  return problem(request, 500, 'The build failed', lines, clientTag(site))
}

const clientTag = ({ client, base }: Site): string => (client ? `<script src="${clientUrl(base)}"></script>` : '')

function redirect(location: string): Response {
  // Merge leading slashes: a location with two would name another host.
  return new Response(null, { status: 308, headers: { location: location.replace(/^\/{2,}/, '/') } })
}

/** Decodes a relative path without `..`. Returns undefined if no file can have this name. */
function decodePath(encoded: string): string | undefined {
  try {
    const path = decodeURIComponent(encoded)
    const parts = path.split('/')
    if (/[\0\\]/.test(path) || parts.includes('..') || parts.includes('.') || parts.slice(0, -1).includes('')) return undefined
    return path
  } catch {
    return undefined
  }
}

/** Returns the content type for a file extension. Text types are UTF-8. */
export function typeOf(path: string): string {
  const type = mediaTypeOf(path) ?? 'application/octet-stream'
  return /^text\/|javascript|json|\+xml$/.test(type) ? `${type}; charset=utf-8` : type
}
