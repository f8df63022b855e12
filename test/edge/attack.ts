import type { Client } from './support.js'

/** Programs that compute until they are ended. */
export const COMPUTING = {
  'without a pause': 'for (;;) {}',
  'and give way': 'for (;;) await null',
  'and wait in between':
    'for (;;) { const end = Date.now() + 400; while (Date.now() < end); await new Promise((go) => setTimeout(go, 1)) }',
}

/** Runs programs of one workspace in endless loops, 15 at once. */
export class Attack {
  /** The error message, once the workspace has used up its processor time. Empty before. */
  refused = ''
  readonly #leave = new AbortController()

  constructor(client: Client, code: string) {
    for (let at = 0; at < 15; at++) this.#run(client, code).catch(() => {})
  }

  /**
   * Aborts the requests without waiting for their responses: in Node the body of an aborted response may never end (nodejs/undici#4089).
   */
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
