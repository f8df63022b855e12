import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../demo/worker/env.js'
import worker from '../../demo/worker/worker.js'

export { WorkspaceObject } from '../../demo/worker/worker.js'

interface BenchEnv extends Env {
  readonly BARE: DurableObjectNamespace
}

/** The same number of bytes as the response of `read_file` in the test. */
const ANSWER = 'x'.repeat(5000)

/** A minimal Durable Object: reads the request's body and returns `ANSWER`. */
export class Bare extends DurableObject {
  override async fetch(request: Request): Promise<Response> {
    await request.arrayBuffer()
    return new Response(ANSWER)
  }
}

/** Routes to the edge worker or to a bare object. `/inside/<times>/...` repeats a request inside the worker, without the network. */
export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    const [, times, path] = /^\/inside\/(\d+)(\/.*)$/.exec(new URL(request.url).pathname) ?? []
    if (times === undefined || path === undefined) return answer(request, env)
    const body = await request.arrayBuffer()
    const { headers } = request
    for (let at = 0; at < Number(times); at++) {
      const response = await answer(new Request(`http://edge${path}`, { method: 'POST', headers, body }), env)
      await response.arrayBuffer()
      if (!response.ok) return response
    }
    return new Response('ok')
  },
}

async function answer(request: Request, env: BenchEnv): Promise<Response> {
  if (new URL(request.url).pathname !== '/bare') return worker.fetch(request as Parameters<typeof worker.fetch>[0], env)
  return env.BARE.get(env.BARE.idFromName('bare')).fetch(request)
}
