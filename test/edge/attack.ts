import type { Client } from './support.js'

/** Programs that compute as long as they are let. */
export const COMPUTING = {
  'without a pause': 'for (;;) {}',
  'and give way': 'for (;;) await null',
  'and wait in between':
    'for (;;) { const end = Date.now() + 400; while (Date.now() < end); await new Promise((go) => setTimeout(go, 1)) }',
}

/** Programs of one workspace, 15 at once, again and again. */
export class Attack {
  /** What it was told when it had no time left. */
  refused = ''
  readonly #leave = new AbortController()

  constructor(client: Client, code: string) {
    for (let at = 0; at < 15; at++) this.#run(client, code).catch(() => {})
  }

  /** Nobody waits for what is left: the body of a response that is aborted may never end in Node (nodejs/undici#4089). */
  stop(): void {
    this.#leave.abort()
  }

  async #run(client: Client, code: string): Promise<void> {
    while (!this.#leave.signal.aborted) {
      const response = await client.post({ name: 'run_js', input: { code } }, {}, this.#leave.signal)
      const text = await response.text()
      if (text.includes('try again in')) this.refused = text
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }
}
