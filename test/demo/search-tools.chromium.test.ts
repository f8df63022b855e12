// @module-tag playground
import '../../demo/src/styles/index.css'
import { defineTool } from 'toolport'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { createSession, type GuardedAgent, type Session, type Snapshot } from '../../demo/src/session.js'
import type { Question } from '../../demo/src/tools/call-gate.js'
import { toolFilesOf } from '../../demo/src/tools/own-tools.js'
import { createToolsPart, type ToolsPart } from '../../demo/src/tools/tools-part.js'
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

/** The tools about whose calls the person is asked while one is called: what it makes may run, a search may not. */
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

test('a search that a program makes is asked about: it could send away what it has read', async () => {
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
  // As in the editor, where nobody is asked.
  expect(await agent.runtime.execute({ name: 'program', input: {} })).toMatchObject({
    ok: true,
    output: expect.stringContaining('the approval it needs was not given: a program could send away what it has read'),
  })
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

describe('a file of a tool with the name of one that searches', () => {
  const FILE = '.toolport/tools/web_search.mjs'
  const TOOL = `export default {
    name: 'web_search',
    description: 'Of the workspace.',
    inputSchema: { type: 'object', properties: {} },
    run: () => 'own',
  }`
  let part: ToolsPart
  let snapshot: Snapshot
  let problems: string[]

  /** The tools' pane with the workspace. */
  const show = async (): Promise<void> => {
    problems = []
    snapshot = await session.snapshot()
    const element = document.createElement('section')
    document.body.append(element)
    part = createToolsPart({
      element,
      search: source,
      loading: (_, load) => load(),
      revision: () => snapshot.revision,
      look,
      suggest: () => [],
      isPath: () => false,
      relative: (path) => path,
      onOpenPath: () => undefined,
      onCall: async () => undefined,
      toolFiles: () => toolFilesOf(snapshot),
      onProblem: (text) => void (text !== undefined && problems.push(text)),
    })
    onTestFinished(() => part.presets.dispose())
    part.tools.use(session, { choice })
    await part.tools.filesSeen()
  }

  async function look(): Promise<number> {
    snapshot = await session.snapshot()
    await part.tools.filesSeen()
    return snapshot.revision
  }

  const description = (): string | undefined => agent.runtime.registry.get('web_search')?.description
  const isMissed = (): boolean | undefined => document.querySelector('.preset-missing')?.textContent?.includes('web_search')
  const offered = (): boolean => page.getByRole('radio', { name: 'web_search', exact: true }).elements().length > 0

  /** How often it is said anew, in a look that finds nothing new, what is left out. */
  async function saidAgain(): Promise<number> {
    let changes = 0
    const observer = new MutationObserver((records) => {
      changes += records.length
    })
    observer.observe(document.body.querySelector('.preset-about') ?? document.body, { subtree: true, childList: true, characterData: true })
    await look()
    changes += observer.takeRecords().length
    observer.disconnect()
    return changes
  }

  test('leaves it to the page when it goes', async () => {
    await session.workspace.writeText(FILE, TOOL)
    await show()
    await expect.poll(description).toBe('Of the workspace.')
    source.use(PROXY, false)
    expect(description()).toBe('Of the workspace.')
    await session.workspace.remove(FILE)
    await look()
    expect(isSearchTool(agent.runtime, 'web_search')).toBe(true)
    expect(offered()).toBe(true)
    expect(isMissed()).toBe(false)
    expect(await saidAgain()).toBe(0)
    // One that comes back finds its name taken.
    await session.workspace.writeText(FILE, TOOL)
    await look()
    expect(isSearchTool(agent.runtime, 'web_search')).toBe(true)
    expect(problems).toEqual([expect.stringContaining('already registered: web_search')])
    await session.workspace.remove(FILE)
    await look()
    // As when no other tool had had the name.
    source.takeAway()
    await expect.poll(offered).toBe(false)
    expect(isMissed()).toBe(true)
  })

  test('leaves it to the page, also when it went while another preset was chosen', async () => {
    const loom = presetChoices.find(({ name }) => name === 'loom')
    const parts = await loom?.load?.()
    if (!loom || !parts) throw new Error('There is no such preset')
    await session.workspace.writeText(FILE, TOOL)
    await show()
    await expect.poll(description).toBe('Of the workspace.')
    source.use(PROXY, false)
    await part.tools.usePreset({ choice: loom, parts })
    await session.workspace.remove(FILE)
    await look()
    expect(description()).toBe('Of the workspace.')
    await part.tools.usePreset({ choice })
    await expect.poll(() => isSearchTool(agent.runtime, 'web_search')).toBe(true)
    await expect.poll(offered).toBe(true)
  })

  test('has it when the proxy is taken away, and what is wrong with other files is told once', async () => {
    await session.workspace.writeText(FILE, TOOL)
    await session.workspace.writeText('.toolport/tools/broken.mjs', 'export default {')
    source.use(PROXY, false)
    await show()
    expect(isSearchTool(agent.runtime, 'web_search')).toBe(true)
    await expect.poll(() => problems).toEqual([expect.stringMatching(/broken\.mjs: .*already registered: web_search/s)])
    source.takeAway()
    await expect.poll(description).toBe('Of the workspace.')
    await expect.poll(offered).toBe(true)
    await expect.poll(isMissed).toBe(false)
    // It stays there beside a proxy.
    source.use(PROXY, false)
    await look()
    expect(description()).toBe('Of the workspace.')
    expect(problems).toHaveLength(1)
  })
})
