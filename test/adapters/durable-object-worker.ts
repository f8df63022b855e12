import { createWorkerRuntime, type WorkerContext } from 'toolport/cloudflare'

/** The worker that the tests in workerd run in, for its objects. Types of the platform are left out: this is checked with all other tests. */
export default { fetch: (): Response => new Response('tests') }

/** An agent as the README shows it: the workspace is wherever `createWorkerRuntime` puts it. */
export class Agent {
  readonly #tools

  constructor(ctx: WorkerContext) {
    this.#tools = createWorkerRuntime(ctx, { files: { 'first.txt': 'first\n' } })
  }

  async fetch(request: Request): Promise<Response> {
    return Response.json(await this.#tools.execute((await request.json()) as { name: string; input: unknown }))
  }
}

/** One whose namespace has the older storage, without SQLite. */
export class KeyValueAgent extends Agent {}
