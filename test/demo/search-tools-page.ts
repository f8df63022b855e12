import { afterEach, beforeEach } from 'vitest'
import type { PresetChoice } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { createSession, type GuardedAgent, type Session } from '../../demo/src/session.js'
import type { SearchProxy } from '../../demo/src/web-search/proxy-store.js'
import { createSearchSource, type SearchSource } from '../../demo/src/web-search/search-source.js'

export const PROXY: SearchProxy = { address: 'http://127.0.0.1:9', token: 'secret', services: ['exa'] }
export const choice = presetChoices[0] as PresetChoice

export let session: Session

export let agent: GuardedAgent

export let source: SearchSource

/** Registers hooks that create a session before each test and close it afterwards. */
export function useSearchToolsPage(): void {
  beforeEach(() => {
    session = createSession('search', { files: { 'a.txt': 'one' } })
    agent = session.agent({ choice })
    source = createSearchSource(false)
  })

  afterEach(async () => {
    document.body.replaceChildren()
    await session.close()
  })
}
