import '../../demo/src/styles/index.css'
import { defineTool } from 'toolport'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { createSession, type GuardedAgent, type Session } from '../../demo/src/session.js'
import { createProxyDialog } from '../../demo/src/web-search/proxy-dialog.js'
import type { SearchProxy } from '../../demo/src/web-search/proxy-store.js'
import { createSearchSource, type SearchSource } from '../../demo/src/web-search/search-source.js'
import { giveSearchTools, isSearchTool } from '../../demo/src/web-search/search-tools.js'

const PROXY: SearchProxy = { address: 'http://127.0.0.1:9', token: 'secret', services: ['exa'] }
const [choice] = presetChoices
if (!choice) throw new Error('There is no preset')

let session: Session
let agent: GuardedAgent
let source: SearchSource

beforeEach(() => {
  session = createSession('search', { files: { 'a.txt': 'one' } })
  agent = session.agent({ choice })
  source = createSearchSource(false)
})

afterEach(async () => {
  document.body.replaceChildren()
  await session.close()
})

const give = (): void => giveSearchTools(agent, { choice }, source)
const replaced = (): void => {
  const { registry } = agent.runtime
  registry.unregister('web_search')
  registry.register(
    defineTool({
      name: 'web_search',
      description: 'Of the workspace.',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true },
      run: async () => ({ own: true }),
    }),
  )
}

/** Whether the person is asked about a call of it. */
async function isAsked(): Promise<boolean> {
  let asked = false
  const asker = {
    policy: () => 'ask' as const,
    async ask() {
      asked = true
      return false
    },
  }
  const call = { id: `call_${Math.random()}`, tool: 'web_search' }
  await agent.gate.answering(agent.runtime, call, asker, () =>
    agent.runtime.execute({ id: call.id, name: call.tool, input: { query: 'x' } }),
  )
  return asked
}

test('a tool of the workspace that has taken the name is asked about, and stays when the proxy is taken away', async () => {
  source.use(PROXY, false)
  give()
  expect(isSearchTool(agent.runtime, 'web_search')).toBe(true)
  expect(await isAsked()).toBe(false)
  replaced()
  expect(isSearchTool(agent.runtime, 'web_search')).toBe(false)
  expect(await isAsked()).toBe(true)
  source.takeAway()
  give()
  expect(agent.runtime.registry.has('web_search')).toBe(true)
})

test('the same proxy again is no other one; of another one a tool says so', async () => {
  source.use(PROXY, false)
  const [tool] = source.standardTools()
  const search = async (): Promise<string> => {
    const { registry } = agent.runtime
    if (registry.has('web_search')) registry.unregister('web_search')
    if (tool) registry.register(tool)
    const result = await agent.runtime.execute({ name: 'web_search', input: { query: 'x' } })
    return JSON.stringify(result)
  }
  source.use({ ...PROXY }, false)
  expect(await search()).not.toContain('another one')
  source.use({ ...PROXY, token: 'other' }, false)
  expect(await search()).toContain('the search proxy is another one now: the next conversation has it')
  source.takeAway()
  expect(await search()).toContain('the search proxy was taken away')
})

test('the token of one proxy is not sent to another', async () => {
  source.use(PROXY, false)
  const dialog = createProxyDialog({ source, onUsed: () => undefined })
  document.body.append(dialog.element)
  dialog.open()
  const token = (): string => (page.getByLabelText('Token', { exact: true }).element() as HTMLInputElement).value
  expect(token()).toBe('secret')
  const address = page.getByLabelText('Address')
  await address.fill('http://127.0.0.1:9/below')
  address.element().dispatchEvent(new Event('change'))
  expect(token()).toBe('secret')
  await address.fill('https://elsewhere.invalid')
  address.element().dispatchEvent(new Event('change'))
  expect(token()).toBe('')
})

test('a file that goes while the files are looked at is not there, and no failure', async () => {
  const { workspace } = session
  const lstat = workspace.lstat.bind(workspace)
  Object.assign(workspace, {
    async lstat(path: string) {
      if (path.endsWith('a.txt')) await workspace.remove('a.txt').catch(() => undefined)
      return lstat(path)
    },
  })
  const { entries, files } = await session.snapshot()
  expect(entries).toEqual([])
  expect(files).toBe(0)
})
