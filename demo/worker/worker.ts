import type { Env } from './env.js'
import { clientAddress } from './front/client-address.js'
import { corsHeaders, preflight } from './front/cors.js'
import { createWorkspace, mayCreate } from './front/create-workspace.js'
import { Guards } from './front/guards.js'
import { toWorkspace } from './front/to-workspace.js'
import { errorResponse } from './http/errors.js'
import { routeOf } from './http/routes.js'
import { type Settings, settingsOf } from './settings.js'

export { WorkspaceObject } from './object/workspace-object.js'

/** Default headers: no cache, no framing, no content loaded. */
const SECURITY = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const PREVIEW = /^\/workspaces\/[^/]+\/preview\/./

/** One per isolate. Created by the first request, which passes the variables. */
let made: { readonly settings: Settings; readonly guards: Guards } | undefined

/** The Worker is stateless: every workspace is a Durable Object of its own, which the platform places and moves. */
export default {
  async fetch(request, env) {
    let cors: Readonly<Record<string, string>> = {}
    try {
      // Previews have an opaque origin, and are open to anyone who has their address.
      if (!PREVIEW.test(new URL(request.url).pathname)) cors = corsHeaders(request, env.ORIGINS)
      return withHeaders(await answer(request, env), cors)
    } catch (error) {
      return withHeaders(errorResponse(error), cors)
    }
  },
} satisfies ExportedHandler<Env>

async function answer(request: Request, env: Env): Promise<Response> {
  if (request.method === 'OPTIONS') return preflight()
  const route = routeOf(request)
  made ??= make(settingsOf(env))
  const { settings, guards } = made
  const address = clientAddress(request)
  if (route.to === 'home') return Response.json({ name: 'toolport', workspaces: '/workspaces' })
  if (route.to !== 'create') return toWorkspace(request, route, env, guards, address)
  await mayCreate(request, env, guards, address)
  return createWorkspace(request, env, settings)
}

const make = (settings: Settings): NonNullable<typeof made> => ({ settings, guards: new Guards(settings) })

/** Adds the default headers; the response's own headers win. An event stream has its own `cache-control`. */
function withHeaders(response: Response, cors: Readonly<Record<string, string>>): Response {
  // Web pages cannot read the headers of a WebSocket response, so none are added.
  if (response.webSocket) return response
  const headers = new Headers({ ...SECURITY, ...cors })
  for (const [name, value] of response.headers) headers.set(name, value)
  return new Response(response.body, { status: response.status, headers })
}
