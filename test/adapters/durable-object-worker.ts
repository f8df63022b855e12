import { createWorkerRuntime, type WorkerContext } from 'toolport/cloudflare'

/** The worker whose Durable Objects the workerd tests use. It needs no platform types, so `tsc` can check it together with all tests. */
export default { fetch: (): Response => new Response('tests') }

/** An agent as in the README: `createWorkerRuntime` chooses the storage of the workspace. */
export class Agent {
  readonly #tools

  constructor(ctx: WorkerContext) {
    this.#tools = createWorkerRuntime(ctx, { files: { 'first.txt': 'first\n' } })
  }

  async fetch(request: Request): Promise<Response> {
    return Response.json(await this.#tools.execute((await request.json()) as { name: string; input: unknown }))
  }
}

/** An agent in a namespace with the older key-value storage, without SQLite. */
export class KeyValueAgent extends Agent {}
