import type { ManifestEntry } from 'toolport'
import { type CallRecord, callTool } from '../calls.js'
import { h } from '../dom.js'
import { createToolForm, type ToolForm } from '../form/tool-form.js'
import { createResultPane } from '../result/result-pane.js'
import type { Session } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import { type Example, examplesFor } from './examples.js'
import { createRunBar } from './run-bar.js'
import { createToolPicker } from './tool-picker.js'

export interface ToolsPane {
  readonly element: HTMLElement
  use(session: Session): void
  /** Runs what the form says. */
  run(): Promise<void>
  /** Chooses a tool and fills its form. */
  load(tool: string, input?: unknown): void
  /** Lists a call that was made elsewhere on the page. */
  list(record: CallRecord): void
}

export interface ToolsPaneOptions {
  readonly suggest: (typed: string) => readonly string[]
  readonly isPath: (text: string) => boolean
  readonly relative: (path: string) => string
  readonly onOpenPath: (path: string, line?: number) => void
  /** After every call, before its result is shown. */
  readonly onCall: (record: CallRecord) => Promise<void>
}

const MAX_HISTORY = 200

/** Tool, form, run, result: a call from end to end. */
export function createToolsPane(options: ToolsPaneOptions): ToolsPane {
  const pickerHolder = h('div')
  const description = h('p', { class: 'tool-description' })
  const examples = h('div', { class: 'examples', role: 'group', 'aria-label': 'Examples' })
  const formHolder = h('div', { class: 'form-scroll' })
  const problems = h('div', { class: 'form-problems', role: 'alert' })
  const runBar = createRunBar({ onRun: () => void run(), onCancel: () => abort?.abort(), onClear: () => fill(undefined) })
  const result = createResultPane({ ...options, onLoad: replay })
  const form = h(
    'form',
    {
      class: 'call-form',
      novalidate: true,
      'aria-label': 'Call a tool',
      on: { submit: (event) => event.preventDefault(), keydown: onKey },
    },
    formHolder,
    runBar.element,
  )
  const split = h('div', { class: 'call' })
  split.append(form, createSplitHandle(split, 'Room for the form'), result.element)
  const element = h(
    'section',
    { class: 'pane pane-tools', 'aria-labelledby': 'tools-heading' },
    h('h2', { id: 'tools-heading', class: 'visually-hidden' }, 'Tools'),
    pickerHolder,
    split,
  )

  let session: Session | undefined
  let tools: readonly ManifestEntry[] = []
  let examplesOf: (tool: string) => readonly Example[] = () => []
  let chosen: ManifestEntry | undefined
  let toolForm: ToolForm | undefined
  let picker = createToolPicker([], choose)
  let abort: AbortController | undefined
  let history: CallRecord[] = []

  function choose(name: string): void {
    const tool = tools.find((one) => one.name === name)
    if (!tool) return
    chosen = tool
    description.textContent = tool.description
    toolForm = createToolForm(tool.inputSchema, options.suggest)
    problems.replaceChildren()
    examples.replaceChildren(...exampleButtons(examplesOf(name)))
    formHolder.replaceChildren(description, examples, problems, toolForm.element)
    formHolder.scrollTop = 0
  }

  function exampleButtons(list: readonly Example[]): HTMLElement[] {
    if (list.length === 0) return []
    const buttons = list.map(({ label, input }) => h('button', { type: 'button', class: 'chip', on: { click: () => fill(input) } }, label))
    return [h('span', { class: 'examples-label' }, 'Try'), ...buttons]
  }

  function fill(input: unknown): void {
    toolForm?.showIssues([])
    problems.replaceChildren()
    toolForm?.fill(input)
  }

  function load(tool: string, input?: unknown): void {
    picker.choose(tool)
    choose(tool)
    fill(input)
  }

  function replay(record: CallRecord): void {
    load(record.tool, record.input)
    result.show(record)
  }

  function tell(messages: readonly string[]): void {
    problems.replaceChildren(...messages.map((message) => h('p', {}, message)))
  }

  async function run(): Promise<void> {
    if (!session || !chosen || !toolForm || abort) return
    const form = toolForm
    const own = session
    const unreadable = form.problems()
    tell(form.showIssues(unreadable))
    if (unreadable.length) return
    const controller = new AbortController()
    abort = controller
    runBar.setRunning(true)
    const record = await callTool(own, chosen.name, form.read(), { signal: controller.signal })
    abort = undefined
    runBar.setRunning(false)
    // Another workspace was opened meanwhile: the result is of no interest there.
    if (session !== own) return
    list(record)
    await options.onCall(record)
    result.show(record)
    // Where the pane scrolls as a whole, the result is below the form.
    if (getComputedStyle(element).overflowY === 'auto') result.element.scrollIntoView({ block: 'start' })
    if (!record.result.ok && form === toolForm) tell(form.showIssues(record.result.output.issues ?? []))
  }

  function list(record: CallRecord): void {
    history = [record, ...history].slice(0, MAX_HISTORY)
    result.setHistory(history)
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && abort) abort.abort()
  }

  return {
    element,
    run,
    load,
    list,
    use(next) {
      abort?.abort()
      session = next
      tools = next.runtime.registry.getModelManifest()
      examplesOf = examplesFor(next.files)
      picker = createToolPicker(tools, choose)
      pickerHolder.replaceChildren(picker.element)
      history = []
      result.setHistory(history)
      result.show(undefined)
      const first = tools.find((tool) => tool.name === chosen?.name) ?? tools.find((tool) => tool.name === 'edit_file') ?? tools[0]
      if (first) load(first.name, examplesOf(first.name)[0]?.input)
      else formHolder.replaceChildren(h('p', { class: 'empty' }, 'This runtime has no tools.'))
    },
  }
}
