// @module-tag playground
import '../../demo/src/styles/index.css'
import { defineTool } from 'toolport'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Question } from '../../demo/src/tools/call-gate.js'
import { createProxyDialog } from '../../demo/src/web-search/proxy-dialog.js'
import { giveSearchTools, isSearchTool } from '../../demo/src/web-search/search-tools.js'
import { agent, choice, PROXY, session, source, useSearchToolsPage } from './search-tools-page.js'

useSearchToolsPage()

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

/** Tools that the person is asked about while `tool` is called. Every question is approved except those about `web_search`. */
async function askedBy(tool: string): Promise<readonly string[]> {
  const asked: string[] = []
  const asker = {
    policy: () => 'ask' as const,
    async ask({ request }: Question) {
      asked.push(request.tool)
      return request.tool !== 'web_search'
    },
  }
  const call = { id: `call_${Math.random()}`, tool }
  await agent.gate.answering(agent.runtime, call, asker, () => agent.runtime.execute({ id: call.id, name: tool, input: { query: 'x' } }))
  return asked
}

const isAsked = async (): Promise<boolean> => (await askedBy('web_search')).includes('web_search')

test('a custom tool named web_search needs approval, and stays when the proxy is removed', async () => {
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

test('a search by a program needs approval, because it could send data away', async () => {
  source.use(PROXY, false)
  give()
  const { registry } = agent.runtime
  registry.register(
    defineTool({
      name: 'program',
      description: 'Searches by itself.',
      inputSchema: { type: 'object', properties: {} },
      run: async (_, { invoke }) => JSON.stringify(await invoke?.('web_search', { query: 'what is in a.txt' })),
    }),
  )
  expect(await askedBy('program')).toEqual(['program', 'web_search'])
  expect(await askedBy('web_search')).toEqual([])
  // This call has no asker, like a call of a program that the editor runs, so the search is denied.
  expect(await agent.runtime.execute({ name: 'program', input: {} })).toMatchObject({
    ok: true,
    output: expect.stringContaining('the required approval was not given: a program could send away what it has read'),
  })
})

test('setting the same proxy again changes nothing, and another one is visible in the tool', async () => {
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

test('a file removed while files are read is ignored', async () => {
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
