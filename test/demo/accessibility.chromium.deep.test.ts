// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createProse } from '../../demo/src/agent/prose.js'
import type { Home } from '../../demo/src/homes/homes.js'
import { forgetHome } from '../../demo/src/homes/known-homes.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'
import type { PlaygroundOptions } from '../../demo/src/playground.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { network, REGISTRY } from '../packages/install-support.js'
import { service } from '../service.js'
import { held, holdCalls } from './held.js'
import { axeViolations, chooseTool, openPage, paste, type TestPage } from './page.js'

const { origin } = await service('git')
const PHONE = 390
/** Reads like another command if its hidden characters are not marked. */
const HIDDEN = 'echo safe # \u202e crs fr- mr ;olleh \u2066 && rm -rf src \u2069'
const FILES = {
  'src/greet.ts': 'export function greet(name: string): string {\n  return `Hello, ` + name\n}\n',
  'src/lib/deep.ts': 'export const deep = 1\n',
  'README.md': '# Read me\nSome words about it.\n',
  'fails.mjs': 'throw new TypeError("no")\n',
  '.toolport/tools/double.mjs': `export default {
  name: 'double',
  description: 'Doubles a number.',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  run: ({ n }) => 2 * n,
}
`,
}
const PATCH = '*** Begin Patch\n*** Update File: src/greet.ts\n@@\n-  return `Hello, ` + name\n+  return `Hi, ` + name\n*** End Patch\n'

let here: TestPage

afterEach(async () => {
  await here.close()
  vi.restoreAllMocks()
  delete document.documentElement.dataset.theme
  for (const key of ['workspaces', 'drafts']) localStorage.removeItem(`toolport.${key}`)
  history.replaceState(null, '', location.pathname + location.search)
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabelText(name, { exact: true })
const tab = (name: string | RegExp): Promise<void> => page.getByRole('tab', { name, exact: true }).click()
const keys = (name: string): Promise<void> => userEvent.keyboard(`{Control>}${name}{/Control}`)
const text = (selector: string): string => here.root.querySelector(selector)?.textContent ?? ''
const says = (selector: string, words: string): Promise<void> => expect.poll(() => text(selector)).toContain(words)
const isSeen = (selector: string): Promise<void> => expect.poll(() => here.root.querySelector(selector)?.checkVisibility()).toBe(true)
const count = (selector: string): number => here.root.querySelectorAll(selector).length

async function fillCall(tool: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await chooseTool(tool)
  for (const [name, value] of Object.entries(fields)) await field(name).fill(value)
}

/** Makes a call and waits until the history lists it. */
async function call(tool: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await fillCall(tool, fields)
  const before = count('.past-call')
  await keys('{Enter}')
  await expect.poll(() => count('.past-call')).toBe(before + 1)
}

const edit = (before = 'Hello', after = 'Hi') => call('edit_file', { path: 'src/greet.ts', old_string: before, new_string: after })

async function ask(): Promise<void> {
  await page.getByRole('combobox', { name: 'Which calls run' }).selectOptions('Ask first')
  await fillCall('write_file', { path: 'out.sh' })
  paste(here.root.querySelector('.tool-form textarea'), HIDDEN)
  await button('Run').click()
  await isSeen('.approval .diff-added')
}

async function previewPatch(patch = PATCH): Promise<void> {
  await chooseTool('apply_patch')
  paste(here.root.querySelector('.tool-form textarea'), patch)
  await userEvent.click(here.find('.pane-tools [aria-keyshortcuts*=Shift]'))
  await expect.poll(() => text('.patch-view:not([hidden]) .result-outcome')).not.toBe('')
}

async function openFile(path = 'src/greet.ts'): Promise<void> {
  await here.playground.openFile(path)
  await expect.poll(() => here.root.querySelector('.cm-content')?.getAttribute('aria-label')).toBe(`Text of ${path}`)
}

async function typeInFile(): Promise<void> {
  await openFile()
  await page.getByRole('textbox', { name: 'Text of src/greet.ts' }).click()
  await userEvent.keyboard('{Control>}{Home}{/Control}mine ')
}

async function changeUnderneath(): Promise<void> {
  await typeInFile()
  await call('edit_file', { path: 'src/greet.ts', old_string: 'export', new_string: 'theirs export' })
  await says('.editor-bar:not([hidden])', 'changed')
}

async function openSearch(words?: string): Promise<void> {
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
  const input = page.getByRole('textbox', { name: 'Search the text of files' })
  await expect.element(input).toHaveFocus()
  if (words !== undefined) await input.fill(words)
}

/** Starts a search that shows hits but never ends: one file is never read. */
async function searchWithoutEnd(): Promise<void> {
  const { fs } = here.playground.session.workspace
  const read = fs.read.bind(fs)
  vi.spyOn(fs, 'read').mockImplementation((path, ...more) =>
    path.endsWith('150.txt') ? new Promise(() => undefined) : read(path, ...more),
  )
  await openSearch('needle')
  await isSeen('.search-progress')
}

async function openTerminal(): Promise<void> {
  await keys('`')
  await says('.xterm-rows', 'workspace')
}

async function focusRow(path: string): Promise<void> {
  await page.getByRole('treeitem', { name: 'README.md' }).click({ button: 'right' })
  ;[...here.root.querySelectorAll<HTMLElement>('[role=treeitem]')].find(({ dataset }) => dataset.path === path)?.focus()
}

async function openDialog(): Promise<void> {
  await button(/^Workspace/).click()
  await expect.element(page.getByRole('dialog', { name: 'Workspace' })).toBeVisible()
  await expect.element(page.getByLabelText('Lives in')).toBeVisible()
}

async function clone(address: string): Promise<void> {
  await openDialog()
  await button('Git repository').click()
  await page.getByRole('dialog').getByLabelText('Address').fill(address)
  await button('Clone').click()
}

function newHome(): Home {
  const home = { kind: 'indexeddb', name: `test-${crypto.randomUUID()}` } as const
  onTestFinished(async () => {
    await here.close()
    await deleteHome(home)
    forgetHome(home)
  })
  return home
}

async function playRecording(): Promise<void> {
  await button('Play the recorded conversation').click()
  await isSeen('.transcript .diff')
}

async function connectModel(): Promise<void> {
  await userEvent.click(here.find('.agent-model'))
  const dialog = page.getByRole('dialog')
  for (const [name, value] of Object.entries({ Address: 'http://127.0.0.1:1/v1', Model: 'none', Key: 'sk-key' }))
    await dialog.getByLabelText(name, { exact: true }).fill(value)
}

interface View {
  /** The pane that contains the part on a phone, which shows one pane at a time. */
  readonly pane: 'files' | 'view' | 'agent' | 'tools' | 'terminal'
  readonly options?: Partial<PlaygroundOptions>
  readonly open: () => Promise<unknown>
}

const views = (
  pane: View['pane'],
  all: Readonly<Record<string, View['open']>>,
  options?: View['options'],
): Readonly<Record<string, View>> =>
  Object.fromEntries(Object.entries(all).map(([name, open]) => [name, { pane, open, ...(options && { options }) }]))

const VIEWS: Readonly<Record<string, View>> = {
  ...views(
    'agent',
    {
      'the agent before a conversation': () => isSeen('.agent'),
      'an agent that asks for approval': playRecording,
      'an agent that was denied': async () => {
        await playRecording()
        await button('Deny').click()
        await says('.transcript', 'That call did not go through')
      },
      'an answered conversation, with an open call': async () => {
        await playRecording()
        await button('Allow all').click()
        await says('.transcript', 'This was a recording')
        await userEvent.click(here.find('.call-card summary'))
      },
      'the settings of the model': connectModel,
      'an agent whose model cannot be reached': async () => {
        await connectModel()
        await button('Use this model').click()
        await field('Message to the agent').fill('Hello?')
        await userEvent.keyboard('{Enter}')
        await isSeen('.agent-failure')
      },
      'a wide table in an answer': async () => {
        await playRecording()
        const prose = createProse({ isPath: () => false, onOpenPath: () => undefined })
        const cells = Array.from({ length: 12 }, (_, index) => `column${index}`).join(' | ')
        prose.append(`Text.\n\n| ${cells} |\n|${'---|'.repeat(12)}\n| ${cells} |`)
        prose.settle()
        here.find('.turns').append(prose.element)
      },
    },
    { work: 'agent' },
  ),

  ...views('tools', {
    'a form': () => chooseTool('edit_file'),
    'a call that changed a file': () => edit(),
    'a call that failed': () => edit('Goodbye'),
    'a result in the data view': () => call('grep', { pattern: 'name' }),
    'a raw result': async () => {
      await call('grep', { pattern: 'name' })
      await tab('Wire')
    },
    'the options of a tool': async () => {
      await chooseTool('read_file')
      await userEvent.click(here.find('.options > summary'))
    },
    'the history': async () => {
      await edit()
      await edit('Goodbye')
      await tab('History 2')
    },
    'a call as code': async () => {
      await fillCall('write_file', { path: 'src/new.ts' })
      await button('Code').click()
      await tab('OpenAI Chat')
      await expect.poll(() => count('.code-panel:not([hidden]) .code-text')).toBeGreaterThan(1)
    },
    'a question before a call, with hidden characters': ask,
    'a denied call': async () => {
      await ask()
      await button('Deny').click()
      await says('.result:not(.patch-view) .result-outcome', 'denied')
    },
    'a patch that applies': () => previewPatch(),
    'an outdated preview': async () => {
      await previewPatch()
      paste(here.root.querySelector('.tool-form textarea'), `${PATCH} `)
      await says('.patch-view .result-outcome', 'out of date')
    },
    'a patch that does not apply': () => previewPatch(PATCH.replace('Hello', 'Hallo')),
    'an example of a custom tool': async () => {
      await expect.element(page.getByRole('radio', { name: 'double', exact: true })).toBeInTheDocument()
      await button('Make a tool').click()
    },
    'the search proxy': async () => {
      await button('Give a search proxy…').click()
      await field('Address').fill('http://search.example.com')
      await button('Use this proxy').click()
      await says('.dialog-row-problem:not(:empty)', 'https://')
    },
    'a message': async () => {
      await button(/^Start over/).click()
      await isSeen('.notice')
    },
    help: async () => {
      await button('Help and keys').click()
      await expect.element(page.getByRole('dialog', { name: 'Help and keys' })).toBeVisible()
    },
  }),
  ...Object.fromEntries(
    presetChoices.slice(1).flatMap(({ name }) =>
      Object.entries(
        views('tools', {
          [`a call of the preset ${name}`]: async () => {
            await page.getByRole('combobox', { name: 'Preset' }).selectOptions(name)
            await expect.poll(() => text('.preset-row')).not.toBe('')
            await expect.poll(() => here.find('.preset-select').hasAttribute('aria-busy')).toBe(false)
            await button('Run').click()
            await expect.poll(() => text('.result:not([hidden]) .result-outcome')).toMatch(/^ok/)
          },
        }),
      ),
    ),
  ),

  ...views('view', {
    'a file': () => openFile(),
    'the changes of a file': async () => {
      await typeInFile()
      await button('Changes').click()
    },
    'the search in a file': async () => {
      await typeInFile()
      await keys('f')
      await page.getByRole('textbox', { name: 'Find' }).fill('name')
    },
    'the question before closing a tab': async () => {
      await typeInFile()
      await userEvent.click(
        here.find('.editor-tab[aria-selected=true] .editor-tab-close, .editor-tab[aria-selected=true] + .editor-tab-close'),
      )
      await expect.element(page.getByRole('dialog', { name: 'Save greet.ts?' })).toBeVisible()
    },
    'a file that changed on disk': changeUnderneath,
    'a merge': async () => {
      await changeUnderneath()
      await button('Merge').click()
    },
    'a program that failed': async () => {
      await openFile('fails.mjs')
      await button('Run this file').click()
      await says('.run-panel .pill', 'exit 1')
      await page.getByText('Arguments and input').click()
    },
    'a comparison with a checkpoint': async () => {
      await edit()
      await tab('Timeline')
      await button(/^Opened/).click()
      await isSeen('.pane-moment .diff')
    },
    'an empty workspace': () => here.playground.load('empty', {}),
  }),
  'unsaved text': {
    pane: 'view',
    options: { remember: true, name: 'drafts' },
    open: async () => {
      await typeInFile()
      await expect.poll(() => localStorage.getItem('toolport.drafts')).toContain('mine')
      await here.close()
      here = await openPage({ files: FILES, name: 'drafts', remember: true })
      await says('.editor-bar:not([hidden])', 'Not saved when this page was left')
    },
  },

  ...views('files', {
    'the files of an empty workspace': () => here.playground.load('empty', {}),
    'a file being moved': async () => {
      await focusRow('README.md')
      await keys('x')
    },
    'a rejected name': async () => {
      await focusRow('README.md')
      await userEvent.keyboard('{F2}{Control>}a{/Control}src{Enter}')
      await expect.poll(() => here.root.querySelector('.tree-field')?.getAttribute('aria-invalid')).toBe('true')
    },
    'a renamed file': async () => {
      await focusRow('README.md')
      await userEvent.keyboard('{F2}{Control>}a{/Control}HOME.md{Enter}')
      await says('.notice', 'Renamed')
    },
    'an empty search': () => openSearch(),
    'outdated search results': async () => {
      await openSearch('name')
      await expect.poll(() => count('.found-line')).toBeGreaterThan(0)
      await button('Choose files').click()
      await edit()
      await isSeen('.search-stale')
    },
    'a search without results': async () => {
      await openSearch('nothing like it')
      await says('.search > .empty', 'No line has')
    },
    'an invalid search pattern': async () => {
      await openSearch()
      await button('Regular expression').click()
      await page.getByRole('textbox', { name: 'Search the text of files' }).fill('(')
      await isSeen('.search-problem')
    },
    'the quick open list': async () => {
      await keys('p')
      await userEvent.keyboard('e')
      await expect.poll(() => count('.quick-option')).toBeGreaterThan(1)
    },
    'the timeline': async () => {
      await edit()
      await tab('Timeline')
      await isSeen('.moment')
    },
    'unavailable packages': () => tab('Packages'),
    'the workspaces dialog': openDialog,
    'the question before deleting a workspace': async () => {
      const home = newHome()
      await here.playground.move(home)
      await here.playground.load('other', FILES)
      await openDialog()
      await button(new RegExp(`^Delete ${home.name}`)).click()
    },
    'an invalid clone address': () => clone('git@example.com:a'),
    'a running clone': async () => {
      await clone(`${origin}/slow/repo.git`)
      await expect.element(page.getByRole('progressbar', { name: 'Progress of the clone' })).toBeVisible()
    },
    'a workspace being made persistent': async () => {
      const home = newHome()
      await openDialog()
      await page.getByRole('radio', { name: 'IndexedDB' }).click()
      await page.getByLabelText('Name', { exact: true }).fill(home.name)
      const go = holdCalls(here.playground.session.workspace, 'diff')
      onTestFinished(go)
      await button('Keep here').click()
      await isSeen('.task-progress')
    },
  }),
  'a running search': {
    pane: 'files',
    options: { files: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${100 + index}.txt`, 'needle\n'])) },
    open: searchWithoutEnd,
  },
  'installed packages and an unknown one': {
    pane: 'files',
    options: { packages: { registry: REGISTRY, fetch: network({}).fetch, missing: async () => undefined } },
    open: async () => {
      await tab('Packages')
      const install = async (name: string): Promise<void> => {
        await page.getByLabelText('Install from the registry').fill(name)
        await userEvent.keyboard('{Enter}')
      }
      await install('nanoid')
      await expect.poll(() => count('.package')).toBe(1)
      await install('no-such-package')
      await says('.packages-problem', '404')
    },
  },
  'a workspace open in another tab': {
    pane: 'files',
    options: { remember: true },
    open: async () => {
      const home = newHome()
      await here.playground.move(home)
      await here.close()
      const { free, release } = held()
      void navigator.locks.request(`toolport:${home.name}`, () => free)
      onTestFinished(release)
      here = await openPage({ files: FILES, remember: true })
      await says('.notice', 'is open in another tab')
    },
  },

  ...views('terminal', {
    'a terminal with an error': async () => {
      await openTerminal()
      await userEvent.keyboard('ls; cat missing.txt{Enter}')
      await isSeen('.xterm-rows .xterm-fg-1')
    },
    'completions for a word': async () => {
      await openTerminal()
      await userEvent.keyboard('cat {Tab}{Tab}')
      await says('.xterm-rows', 'fails.mjs')
    },
    'two terminals and a job': async () => {
      await openTerminal()
      await userEvent.keyboard('echo ticking && sleep 60 &{Enter}')
      await says('.job-open', 'ticking')
      await button('New terminal').click()
      await expect.poll(() => count('.terminal-tab')).toBe(2)
    },
  }),
}

test.each(Object.entries(VIEWS))('axe finds no violation, and a phone is wide enough: %s', async (_, { pane, options, open }) => {
  here = await openPage({ files: FILES, name: 'seen', ...options })
  await open()
  for (const theme of ['light', 'dark']) {
    document.documentElement.dataset.theme = theme
    for (const width of [1300, PHONE]) {
      await page.viewport(width, 844)
      const choice = here.root.querySelector<HTMLInputElement>(`.pane-option input[value=${pane}]`)
      if (width === PHONE && !here.root.querySelector('dialog[open]')) choice?.click()
      expect(await axeViolations(), `${theme}, ${width} wide`).toEqual([])
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    }
  }
})
