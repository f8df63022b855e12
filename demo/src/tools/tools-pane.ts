import type { ManifestEntry } from 'toolport'
import { type CallRecord, callTool } from '../calls.js'
import { h } from '../dom.js'
import { createToolForm, type ToolForm } from '../form/tool-form.js'
import { createPatchPreview } from '../patch/patch-preview.js'
import type { LoadedPreset } from '../presets/choice.js'
import { missingTools } from '../presets/missing-tools.js'
import { createResultPane } from '../result/result-pane.js'
import type { Agent, Session } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import { describe } from './describe.js'
import { exampleButtons } from './example-buttons.js'
import { type ExampleTable, knownFiles } from './examples/known.js'
import { createOwnTools } from './own-tools.js'
import { createRunBar } from './run-bar.js'
import { createToolPicker, MAKER, type ToolPicker } from './tool-picker.js'

type Input = Readonly<Record<string, unknown>>

export interface ToolsPane {
  readonly element: HTMLElement
  /** Begins anew with a workspace. */
  use(session: Session, preset: LoadedPreset): void
  /** Takes other tools on the same workspace. A call that runs is aborted and listed first. Rejects where the preset makes no runtime. */
  usePreset(preset: LoadedPreset): Promise<void>
  /** Runs what the form says. */
  run(): Promise<void>
  /** Shows what the patch in the form would do, where there is one. */
  preview(): Promise<void>
  /** Chooses a tool and fills its form. False, and nothing happens, where there is no such tool. */
  load(tool: string, input?: unknown): boolean
  /** Lists a call that was made elsewhere on the page. */
  list(record: CallRecord): void
  /** The workspace has been looked at. Resolves when the tools are there that it has as files; never rejects. */
  filesSeen(): Promise<void>
}

export interface ToolsPaneOptions {
  /** Chooses the preset; stands above the tools. */
  readonly presets: HTMLElement
  readonly suggest: (typed: string) => readonly string[]
  readonly isPath: (text: string) => boolean
  readonly relative: (path: string) => string
  readonly onOpenPath: (path: string, line?: number) => void
  /** After every call, before its result is shown. */
  readonly onCall: (record: CallRecord) => Promise<void>
  /** Which tools of the preset this page cannot run. */
  readonly onMissing: (text: string) => void
  /** The workspace's revision, as it was seen last and as it is now. */
  readonly revision: () => number
  readonly look: () => Promise<number>
  /** What the files of tools were when the workspace was seen last (`toolFilesOf`). */
  readonly toolFiles: () => string
  /** Something is wrong with them. */
  readonly onProblem: (text: string) => void
}

const MAX_HISTORY = 200
/** Chosen first, where the preset has it. */
const FAVOURITES = ['edit_file', 'file_edit']

/** Preset, tool, form, run, result: a call from end to end. */
export function createToolsPane(options: ToolsPaneOptions): ToolsPane {
  const pickerHolder = h('div')
  const description = h('div', { class: 'tool-description' })
  const examples = h('div', { class: 'examples', role: 'group', 'aria-label': 'Examples' })
  const formHolder = h('div', { class: 'form-scroll' })
  const problems = h('div', { class: 'form-problems', role: 'alert' })
  const runBar = createRunBar({
    onRun: () => void run(),
    onPreview: () => void preview(),
    onCancel: () => abort?.abort(),
    onClear: () => fill(undefined),
  })
  const result = createResultPane({ ...options, onLoad: replay })
  const patch = createPatchPreview({
    ...options,
    read: () => toolForm?.read() ?? {},
    onApply: (input) => void run(input).then(() => result.focus()),
    onAgain: () => void preview(),
    onShow: (isShown) => {
      result.element.hidden = isShown
    },
    onClose: () => runBar.focusPreview(),
  })
  const form = h(
    'form',
    {
      class: 'call-form',
      novalidate: true,
      'aria-label': 'Call a tool',
      on: { submit: (event) => event.preventDefault(), keydown: onKey, input: () => patch.check() },
    },
    formHolder,
    runBar.element,
  )
  const split = h('div', { class: 'call' })
  split.append(form, createSplitHandle(split, 'Room for the form'), result.element, patch.element)
  const element = h(
    'section',
    { class: 'pane pane-tools', 'aria-labelledby': 'tools-heading' },
    h('h2', { id: 'tools-heading', class: 'visually-hidden' }, 'Tools'),
    h('div', { class: 'tool-choice' }, options.presets, pickerHolder),
    split,
  )

  let session: Session | undefined
  let agent: Agent | undefined
  let tools: readonly ManifestEntry[] = []
  let examplesOf: (name: string) => ExampleTable[string] = () => []
  let chosen: ManifestEntry | undefined
  let toolForm: ToolForm | undefined
  const ownTools = createOwnTools()
  let picker: ToolPicker | undefined
  let abort: AbortController | undefined
  /** Settles when the result of the last call is shown. */
  let running: Promise<void> = Promise.resolve()
  let switches = 0
  let history: CallRecord[] = []

  function choose(name: string): void {
    const tool = tools.find((one) => one.name === name)
    if (!tool) return
    chosen = tool
    description.replaceChildren(...describe(tool.description))
    toolForm = createToolForm(tool.inputSchema, options.suggest)
    problems.replaceChildren()
    examples.replaceChildren(...exampleButtons(examplesOf(name), fill))
    formHolder.replaceChildren(description, examples, problems, toolForm.element)
    formHolder.scrollTop = 0
    runBar.offerPreview(patch.use(tool))
  }

  function fill(input: unknown): void {
    toolForm?.showIssues([])
    problems.replaceChildren()
    toolForm?.fill(input)
    patch.check()
  }

  function load(tool: string, input?: unknown): boolean {
    if (!tools.some(({ name }) => name === tool)) return false
    picker?.choose(tool)
    choose(tool)
    fill(input)
    return true
  }

  /** The call of another preset is shown; its input fits no form here. */
  function replay(record: CallRecord): void {
    if (record.preset === agent?.preset) load(record.tool, record.input)
    result.show(record)
  }

  function tell(messages: readonly string[]): void {
    problems.replaceChildren(...messages.map((message) => h('p', {}, message)))
  }

  /** What the form says; undefined, and told, where that cannot be sent. */
  function readForm(): Input | undefined {
    const unreadable = toolForm?.problems() ?? []
    tell(toolForm?.showIssues(unreadable) ?? [])
    return unreadable.length ? undefined : toolForm?.read()
  }

  /** One at a time: what can be cancelled is the one that runs. */
  async function exclusively<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    abort = controller
    runBar.setRunning(true)
    try {
      return await work(controller.signal)
    } finally {
      abort = undefined
      runBar.setRunning(false)
    }
  }

  async function run(given?: Input): Promise<void> {
    if (abort) return
    const input = given ?? readForm()
    if (!session || !agent || !chosen || !input) return
    running = call(session, agent, chosen.name, input)
    await running
  }

  async function call(own: Session, caller: Agent, tool: string, input: Input): Promise<void> {
    const form = toolForm
    const record = await exclusively((signal) => callTool(caller, tool, input, { signal }))
    // Another workspace was opened meanwhile: the result is of no interest there.
    if (session !== own) return
    list(record)
    await options.onCall(record)
    patch.close()
    result.show(record)
    comeIntoView(result.element)
    if (!record.result.ok && form === toolForm) tell(form?.showIssues(record.result.output.issues ?? []) ?? [])
  }

  async function preview(): Promise<void> {
    if (abort) return
    const input = readForm()
    if (!session || !agent || !input) return
    const [own, caller] = [session, agent]
    running = exclusively((signal) => patch.run(own, caller, input, signal))
    await running
    if (patch.isShown) comeIntoView(patch.element)
  }

  /** Where the pane scrolls as a whole, the result is below the form. */
  function comeIntoView(part: HTMLElement): void {
    if (getComputedStyle(element).overflowY === 'auto') part.scrollIntoView({ block: 'start' })
  }

  function list(record: CallRecord): void {
    history = [record, ...history].slice(0, MAX_HISTORY)
    result.setHistory(history)
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && abort) abort.abort()
  }

  function loadExample(tool: string): void {
    load(tool, examplesOf(tool).find((example) => example)?.input)
  }

  function drawPicker(own: Agent): void {
    const focused = pickerHolder.contains(document.activeElement) && chosen?.name
    tools = own.runtime.registry.getModelManifest()
    picker = createToolPicker(tools, {
      onChoose: choose,
      isOwn: (name) => ownTools.isOwn(own, name),
      onMake: makeTool,
    })
    pickerHolder.replaceChildren(picker.element)
    if (chosen) picker.choose(chosen.name, focused === chosen.name)
  }

  function makeTool(): void {
    loadExample(MAKER)
    toolForm?.element.querySelector<HTMLElement>('.input')?.focus()
  }

  /** Draws the tools of an agent, and begins with an example. */
  function show(own: Session, next: Agent, { choice }: LoadedPreset): void {
    agent = next
    // Anew for each tool: some speak of a background session, which comes and goes.
    examplesOf = (name) => choice.examples?.(knownFiles(own.files, own.workspace.root, own.runtime.sessions.list()))[name] ?? []
    options.onMissing(missingTools(next.runtime))
    drawPicker(next)
    begin()
    void loadOwn(own, next)
  }

  /** With the tool that was chosen, where it is there. */
  function begin(): void {
    const names = [chosen?.name, ...FAVOURITES, tools[0]?.name]
    const first = names.find((name) => tools.some((tool) => tool.name === name))
    if (first !== undefined) {
      loadExample(first)
      return
    }
    chosen = undefined
    toolForm = undefined
    runBar.offerPreview(patch.use(undefined))
    formHolder.replaceChildren(h('p', { class: 'empty' }, 'This runtime has no tools.'))
  }

  /** Takes up the tools that the workspace has as files, and tells what is wrong with them. */
  async function loadOwn(own: Session, caller: Agent): Promise<void> {
    const problems = await ownTools.load(caller, options.toolFiles())
    if (session !== own || agent !== caller) return
    if (problems.length) options.onProblem(`Not every tool of the workspace is there. ${problems.join('. ')}`)
    followTools(caller)
  }

  /** The tools are others than those that are drawn. The form stays, unless its tool has gone or is another one now. */
  function followTools(caller: Agent): void {
    const now = caller.runtime.registry.getModelManifest()
    if (JSON.stringify(now) === JSON.stringify(tools)) return
    drawPicker(caller)
    const same = tools.find(({ name }) => name === chosen?.name)
    if (!same) begin()
    else if (JSON.stringify(same) !== JSON.stringify(chosen)) choose(same.name)
  }

  return {
    element,
    run: () => run(),
    preview,
    load,
    list,
    async filesSeen() {
      patch.check()
      const [own, caller] = [session, agent]
      if (!own || !caller) return
      // One that was made by a call is there at once.
      followTools(caller)
      await loadOwn(own, caller)
    },
    use(next, preset) {
      abort?.abort()
      session = next
      history = []
      result.setHistory(history)
      result.show(undefined)
      show(next, next.agent(preset), preset)
    },
    async usePreset(preset) {
      const mine = ++switches
      const next = session?.agent(preset)
      abort?.abort()
      // Whatever became of it was told where it belongs.
      await running.catch(() => undefined)
      if (mine === switches && session && next) show(session, session.agent(preset), preset)
    },
  }
}
