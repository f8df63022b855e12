import { closestNames } from '../../core/closest-names.js'
import { FsError, PolicyError, WorkspaceError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { baseName, parentPath } from '../../workspace/paths.js'

/** Returns a response, without a body for HEAD and for status 304. */
export function respond(request: Request, status: number, headers: Record<string, string>, body: Uint8Array | string): Response {
  const length = typeof body === 'string' ? new TextEncoder().encode(body).length : body.length
  const own = new Headers(headers)
  if (status !== 304) own.set('content-length', String(length))
  const empty = request.method === 'HEAD' || status === 304
  return new Response(empty ? null : (body as BodyInit), { status, headers: own })
}

/** Returns the response for a page that cannot be shown: HTML for a navigation, text for other requests. */
export function problem(request: Request, status: number, title: string, lines: readonly string[], head = ''): Response {
  const wantsHtml = request.headers.get('accept')?.includes('text/html') ?? false
  if (!wantsHtml) return respond(request, status, { 'content-type': 'text/plain; charset=utf-8' }, [title, ...lines].join('\n'))
  const body = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')
  const style = 'font:15px/1.5 system-ui,sans-serif;margin:3rem auto;max-width:40rem;padding:0 1rem;overflow-wrap:anywhere'
  const html = `<!doctype html><html lang="en"><head>${head}<meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body style="${style}"><h1 style="font-size:1.2rem">${escapeHtml(title)}</h1>${body}</body></html>`
  return respond(request, status, { 'content-type': 'text/html; charset=utf-8' }, html)
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Returns the HTTP status for an error of the workspace; undefined for any other error, because that is a bug. */
export function statusOf(error: unknown): 400 | 403 | 404 | 500 | undefined {
  if (FsError.is(error)) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return 404
    return error.code === 'EACCES' || error.code === 'ELOOP' ? 403 : 500
  }
  if (error instanceof PolicyError) return 403
  return error instanceof WorkspaceError ? (error.code === 'symlink_escape' ? 403 : 400) : undefined
}

/** Returns suggestions for a 404 page: the most similar names in the folder, or the first part of the path that does not exist. */
export async function nearby(workspace: Workspace, path: string, isShown: (name: string) => boolean): Promise<readonly string[]> {
  const folder = parentPath(path)
  try {
    const names = (await workspace.list(folder)).map(({ name, kind }) => (kind === 'dir' ? `${name}/` : name)).filter(isShown)
    const near = closestNames(baseName(path), names)
    if (near.length > 0) return [`Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`]
    const shown = names.slice(0, MOST_NAMES)
    const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : ''
    return [names.length === 0 ? `"${folder}" is empty.` : `"${folder}" contains ${shown.join(', ')}${more}.`]
  } catch {
    return folder === workspace.root ? [] : [`The folder "${folder}" does not exist.`]
  }
}

const MOST_NAMES = 20
