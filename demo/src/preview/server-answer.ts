import type { LocalServers } from 'toolport'

/** Asks the server of a program for what a page of the preview asks for. Redirects of the server stay in the preview. */
export async function serverAnswer(servers: LocalServers, port: number, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const origin = `http://localhost:${port}`
  const { method, headers, signal } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? await request.arrayBuffer() : null
  try {
    const response = await servers.fetch(new Request(`${origin}${pathname}${search}`, { method, headers, signal, body }))
    const location = response.headers.get('location')
    if (!location?.startsWith(`${origin}/`)) return response
    const own = new Response(response.body, response)
    own.headers.set('location', location.slice(origin.length))
    return own
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return new Response(`${why}\nStart the program again, then reload.\n`, { status: 502, headers: { 'content-type': 'text/plain' } })
  }
}
