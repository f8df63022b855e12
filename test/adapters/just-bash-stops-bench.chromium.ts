import wasm from 'jq-wasm/jq.wasm?url'
import { it } from 'vitest'
import { figures, idleMemory } from './just-bash-stops-figures.js'

// `npm run bench:storages`. Not a test, because it only prints figures.

interface Measured {
  measureUserAgentSpecificMemory(): Promise<{ readonly bytes: number }>
}

it('figures of a stopped shell in Chromium', { timeout: 900_000 }, async () => {
  console.log(await figures('in the page', false, { wasm }))
  console.log(await figures('in web workers', true, { wasm }))
  if ('measureUserAgentSpecificMemory' in performance) {
    const used = async (): Promise<number> => (await (performance as unknown as Measured).measureUserAgentSpecificMemory()).bytes
    console.log(await idleMemory(true, used))
  }
})
