import { HttpError, wrongMethod } from './errors.js'

export type WorkspacePart = 'workspace' | 'tools' | 'calls' | 'socket' | 'mcp'

export type Route =
  | { readonly to: 'home' }
  | { readonly to: 'create' }
  | { readonly to: WorkspacePart; readonly id: string; readonly callId?: string }
  /** With a key: a page or file of the preview. Without: the address of the preview. */
  | { readonly to: 'preview'; readonly id: string; readonly key?: string }

const METHODS: Readonly<Record<Route['to'], readonly string[]>> = {
  home: ['GET'],
  create: ['POST'],
  workspace: ['GET', 'DELETE'],
  tools: ['GET'],
  calls: ['POST'],
  socket: ['GET'],
  mcp: ['GET', 'POST', 'DELETE'],
  preview: ['GET', 'HEAD'],
}
/** Any text of reasonable length; the namespace validates the id. */
const ID = '([^/]{1,200})'
const WORKSPACE = new RegExp(`^/workspaces/${ID}(?:/(tools|calls|socket|mcp))?$`)
const PREVIEW = new RegExp(`^/workspaces/${ID}/preview(?:/([\\w-]{43})/.*)?$`)
const CALL = new RegExp(`^/workspaces/${ID}/calls/([\\w.:-]{1,128})$`)

/** @throws {HttpError} not_found, method_not_allowed */
export function routeOf({ url, method }: Pick<Request, 'url' | 'method'>): Route {
  const { pathname } = new URL(url)
  const route = read(pathname)
  if (!route) throw new HttpError(404, 'not_found', 'There is nothing at this address', { hint: 'The addresses are in docs/edge.md' })
  const allowed = 'callId' in route ? ['DELETE'] : METHODS[route.to]
  if (!allowed.includes(method)) throw wrongMethod(allowed)
  return route
}

function read(pathname: string): Route | undefined {
  if (pathname === '/') return { to: 'home' }
  if (pathname === '/workspaces') return { to: 'create' }
  const [, callOf, callId] = CALL.exec(pathname) ?? []
  if (callOf !== undefined && callId !== undefined) return { to: 'calls', id: callOf, callId }
  const [, previewOf, key] = PREVIEW.exec(pathname) ?? []
  if (previewOf !== undefined) return { to: 'preview', id: previewOf, ...(key !== undefined && { key }) }
  const [, id, part = 'workspace'] = WORKSPACE.exec(pathname) ?? []
  return id === undefined ? undefined : { to: part as WorkspacePart, id }
}
