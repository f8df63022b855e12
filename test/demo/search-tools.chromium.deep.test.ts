// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { presetChoices } from '../../demo/src/presets/choices.js'
import type { Snapshot } from '../../demo/src/session.js'
import { toolFilesOf } from '../../demo/src/tools/own-tools.js'
import { createToolsPart, type ToolsPart } from '../../demo/src/tools/tools-part.js'
import { isSearchTool } from '../../demo/src/web-search/search-tools.js'
import { agent, choice, PROXY, session, source, useSearchToolsPage } from './search-tools-page.js'

useSearchToolsPage()

describe('a custom tool with the name web_search', () => {
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

  /** Shows the tools pane of the workspace. */
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

  const description = (): string | undefined => agent.runtime.registry.get('web_search')?.description.split('\n')[0]
  const isMissed = (): boolean | undefined => document.querySelector('.preset-missing')?.textContent?.includes('web_search')
  const offered = (): boolean => page.getByRole('radio', { name: 'web_search', exact: true }).elements().length > 0

  /** Counts the DOM changes in the list of missing tools while the page looks for changes and finds none. */
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

  test('gives the name back to the page when its file is removed', async () => {
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
    // The workspace's tool returns, but its name is taken.
    await session.workspace.writeText(FILE, TOOL)
    await look()
    expect(isSearchTool(agent.runtime, 'web_search')).toBe(true)
    expect(problems).toEqual([expect.stringContaining('already registered: web_search')])
    await session.workspace.remove(FILE)
    await look()
    // The preset now lacks `web_search`, as if the workspace had never had that tool.
    source.takeAway()
    await expect.poll(offered).toBe(false)
    expect(isMissed()).toBe(true)
  })

  test('gives the name back even if its file is removed while another preset is chosen', async () => {
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

  test('gets the name when the proxy is removed, and other broken files are reported once', async () => {
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
    // The workspace's tool stays when a proxy is added.
    source.use(PROXY, false)
    await look()
    expect(description()).toBe('Of the workspace.')
    expect(problems).toHaveLength(1)
  })
})
