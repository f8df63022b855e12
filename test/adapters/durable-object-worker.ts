import { createWorkerRuntime, type WorkerContext } from 'toolport/cloudflare'

/** The worker for the tests in workerd, which use its objects. Has no platform types, because it is type-checked with all other tests. */
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

/** An agent whose namespace has the older storage without SQLite. */
export class KeyValueAgent extends Agent {}
