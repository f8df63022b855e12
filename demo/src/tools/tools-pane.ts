import { type CallRecord, callTool, nextCallId } from '../calls.js'
import type { CodeCall } from '../code/code-call.js'
import { h } from '../dom.js'
import { createPatchPreview } from '../patch/patch-preview.js'
import type { LoadedPreset } from '../presets/choice.js'
import { missingTools } from '../presets/missing-tools.js'
import { createResultPane } from '../result/result-pane.js'
import type { GuardedAgent, Session } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import { createSearchButton } from '../web-search/search-button.js'
import type { SearchSource } from '../web-search/search-source.js'
import { codeOfSearch, giveSearchTools, isSearchTool, searchToolNames } from '../web-search/search-tools.js'
import type { Loading } from '../while-working.js'
import { type Approvals, createApprovals } from './approvals.js'
import { createCallForm, type Input } from './call-form.js'
import type { Asker } from './call-gate.js'
import { createOneAtATime } from './one-at-a-time.js'
import { createPolicySelect } from './policy-select.js'
import { createRunBar } from './run-bar.js'
import { createShowCode } from './show-code.js'
import { createToolChoice } from './tool-choice.js'

export interface ToolsPane {
  readonly element: HTMLElement
  /** Cancels the running call. Nothing runs until another workspace is opened. */
  leave(): void
  /** Resets the pane for a workspace. */
  use(session: Session, preset: LoadedPreset): void
  /**
   * Switches the preset on the same workspace. Aborts a running call, which is listed first. Rejects if the preset cannot create a runtime.
   */
  usePreset(preset: LoadedPreset): Promise<void>
  /** Runs the call in the form. */
  run(): Promise<void>
  /** Previews the patch in the form, if any. */
  preview(): Promise<void>
  /** Chooses a tool and fills its form. Returns false and does nothing if there is no such tool. */
  load(tool: string, input?: unknown): boolean
  /** Lists a call that was made elsewhere on the page. */
  list(record: CallRecord): void
  /** Call after each snapshot of the workspace. Resolves when tools from files are loaded. Never rejects. */
  filesSeen(): Promise<void>
}

export interface ToolsPaneOptions {
  /** An empty section, which the pane fills. */
  readonly element: HTMLElement
  /** The preset menu, shown above the tools. */
  readonly presets: HTMLElement
  readonly loading: Loading
  readonly suggest: (typed: string) => readonly string[]
  readonly isPath: (text: string) => boolean
  readonly relative: (path: string) => string
  readonly onOpenPath: (path: string, line?: number) => void
  /** Called after every call, before its result is shown. */
  readonly onCall: (record: CallRecord) => Promise<void>
  /** Reports the tools of the preset that this page cannot run. */
  readonly onMissing: (text: string) => void
  /** The search proxy, if the user has set one. */
  readonly search: SearchSource
  /** The workspace's last known revision. */
  readonly revision: () => number
  readonly look: () => Promise<number>
  /** Fingerprint of the tool files in the last snapshot (`toolFilesOf`). */
  readonly toolFiles: () => string
  /** Reports problems with tool files. */
  readonly onProblem: (text: string) => void
}

/** The tools pane: preset, tool, form, run and result of a call. */
export function createToolsPane(options: ToolsPaneOptions): ToolsPane {
  const policy = createPolicySelect()
  const one = createOneAtATime((isBusy) => runBar.setRunning(isBusy))
  const runBar = createRunBar({
    onRun: () => void run(),
    onPreview: () => void preview(),
    onCancel: one.cancel,
    onClear: () => form.fill(undefined),
    onCode: () => void asCode(),
    policy: policy.element,
  })
  const form = createCallForm({ suggest: options.suggest, onFill: () => patch.check() })
  const result = createResultPane({ ...options, onLoad: replay, onAgain: (record) => void runAgain(record) })
  const patch = createPatchPreview({
    ...options,
    read: form.peek,
    onApply: (input) => void run(input).then(() => result.focus()),
    onAgain: () => void preview(),
    onShow: (isShown) => {
      result.element.hidden = isShown
    },
    onClose: () => runBar.focusPreview(),
  })
  const approvals = createApprovals({
    ...options,
    settled: () => (policy.kind === 'ask' ? undefined : policy.kind === 'allow'),
    onAllowAll: () => policy.choose('allow'),
    onShow(isShown) {
      runBar.setWaiting(isShown)
      // The question replaces everything below the form.
      for (const part of [result.element, patch.element]) part.classList.toggle('is-behind', isShown)
      if (isShown) comeIntoView(approvals.element)
    },
    focusBack: () => runBar.focusRun(),
  })
  const choice = createToolChoice({
    onChoose(tool, examples) {
      form.use(tool, examples)
      runBar.offerPreview(patch.use(tool))
    },
    onExample: (input) => form.fill(input),
    toolFiles: options.toolFiles,
    onProblem: options.onProblem,
  })
  const code = createShowCode(options.loading, options.onProblem)
  const { search: source, loading } = options
  const searchButton = createSearchButton({ source, loading, onUsed: showSearch, onProblem: options.onProblem })
  source.onChange(searchAgain)
  options.presets.append(searchButton.element)
  const formElement = h(
    'form',
    {
      class: 'call-form',
      novalidate: true,
      'aria-label': 'Call a tool',
      on: { submit: (event) => event.preventDefault(), keydown: onKey, input: () => patch.check() },
    },
    form.element,
    runBar.element,
  )
  const split = h('div', { class: 'call' })
  split.append(formElement, createSplitHandle(split, 'Room for the form'), result.element, patch.element, approvals.element)
  const { element } = options
  element.append(
    h('h2', { class: 'visually-hidden' }, 'Tools'),
    h('div', { class: 'tool-choice' }, options.presets, choice.element),
    split,
    approvals.status,
    code.element,
  )

  let session: Session | undefined
  let agent: GuardedAgent | undefined
  let loaded: LoadedPreset | undefined
  let switches = 0

  function load(tool: string, input?: unknown): boolean {
    if (!choice.choose(tool)) return false
    form.fill(input)
    return true
  }

  /** Shows an earlier call. The input of another preset's call fits no form here, so only the result is shown. */
  function replay(record: CallRecord): void {
    if (record.preset === agent?.preset) load(record.tool, record.input)
    result.show(record)
  }

  async function run(given?: Input): Promise<void> {
    const { chosen } = choice
    if (one.isBusy || !chosen) return
    const input = given ?? form.read()
    if (input) await call(chosen.name, input, form.form)
  }

  /** Repeats a call with its original input and keeps the form. */
  async function runAgain({ preset, tool, input }: CallRecord): Promise<void> {
    if (!agent) return
    if (one.isBusy) options.onProblem('A call is running. Cancel it, or run this one again when it is done.')
    else if (preset !== agent.preset || !choice.has(tool))
      options.onProblem(`${tool} of “${preset}” is none of the tools that are chosen now, so it cannot be run again here.`)
    else await call(tool, input, undefined)
  }

  /** Makes a call and shows its result. If the form `filled` is still shown, also marks its invalid fields. */
  async function call(tool: string, input: Input, filled: typeof form.form): Promise<void> {
    const [own, caller] = [session, agent]
    if (!own || !caller) return
    const circumstances = { policy: () => policy.kind, approvals }
    await one.run(
      (signal) => guardedCall(caller, tool, input, { signal, ...circumstances }),
      async (record) => {
        // The user has opened another workspace meanwhile, so this result is dropped.
        if (session !== own) return
        result.list(record)
        await options.onCall(record)
        if (session !== own) return
        patch.close()
        result.show(record)
        comeIntoView(result.element)
        if (!record.result.ok && filled && filled === form.form) form.tell(record.result.output.issues ?? [])
      },
    )
  }

  async function preview(): Promise<void> {
    if (one.isBusy) return
    const input = form.read()
    const [own, caller] = [session, agent]
    if (!own || !caller || !input) return
    await one.run(
      (signal) => patch.run(own, caller, input, signal),
      () => {
        if (patch.isShown) comeIntoView(patch.element)
      },
    )
  }

  async function asCode(): Promise<void> {
    const { chosen } = choice
    const input = form.read()
    if (agent && chosen && input)
      await code.open({ agent, tool: chosen.name, input, isOwn: choice.isOwn(chosen.name), search: searchInCode(agent, chosen.name) })
  }

  /** If the pane scrolls as a whole, scrolls to the result below the form. */
  function comeIntoView(part: HTMLElement): void {
    if (getComputedStyle(element).overflowY === 'auto') part.scrollIntoView({ block: 'start' })
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') one.cancel()
  }

  /** Takes over the tools of an agent and starts with an example. */
  function show(own: Session, next: GuardedAgent, preset: LoadedPreset): void {
    agent = next
    loaded = preset
    takeSearch(next, preset)
    choice.use(own, next, preset)
    void followFiles()
  }

  function takeSearch(caller: GuardedAgent, preset: LoadedPreset): void {
    giveSearchTools(caller, preset, source)
    options.onMissing(missingTools(caller.runtime, preset.choice, source.proxy))
    searchButton.show(preset.choice.searches !== undefined)
  }

  /** Call when search tools were added or removed. */
  function searchAgain(): void {
    if (!agent || !loaded) return
    takeSearch(agent, loaded)
    void followFiles()
  }

  /** A search tool takes precedence over a workspace tool of the same name, so reload the files. */
  async function followFiles(): Promise<void> {
    const caller = agent
    if (!caller) return
    await choice.filesSeen()
    if (!loaded || agent !== caller) return
    takeSearch(caller, loaded)
    choice.follow()
  }

  /** Shows an example of a search tool that has become available. */
  function showSearch(): void {
    const [first] = source.proxy && loaded ? searchToolNames(loaded.choice, source.proxy) : []
    if (first !== undefined) choice.chooseExample(first)
  }

  function searchInCode({ runtime }: GuardedAgent, tool: string): CodeCall['search'] {
    return loaded && source.proxy && isSearchTool(runtime, tool) ? codeOfSearch(loaded.choice, source.proxy) : undefined
  }

  return {
    element,
    run: () => run(),
    preview,
    load,
    list: result.list,
    async filesSeen() {
      if (agent) patch.check()
      await followFiles()
    },
    leave() {
      one.cancel()
      // Immediately, because calls of the next workspace may be listed before its tools have loaded.
      result.begin()
      session = agent = undefined
      choice.leave()
    },
    use(next, preset) {
      one.cancel()
      session = next
      show(next, next.agent(preset), preset)
    },
    async usePreset(preset) {
      const mine = ++switches
      // Rejects if the agent cannot be created. The previous preset is still in use then.
      session?.agent(preset)
      do {
        one.cancel()
        await one.settled()
        // Another call may have started meanwhile.
      } while (one.isBusy)
      if (mine === switches && session) show(session, session.agent(preset), preset)
    },
  }
}

/** Context of a call. */
interface Circumstances {
  readonly signal: AbortSignal
  readonly policy: Asker['policy']
  readonly approvals: Approvals
}

/** Runs a call of the user under the preset's policy and the user's policy. Never rejects. */
async function guardedCall(
  agent: GuardedAgent,
  tool: string,
  input: CallRecord['input'],
  { signal, policy, approvals }: Circumstances,
): Promise<CallRecord> {
  const { runtime, gate } = agent
  const id = nextCallId()
  const begun = document.activeElement
  const before = approvals.waited
  const mayAsk = agent.asks || policy() === 'ask'
  const deadlineMs = mayAsk ? runtime.limits.deadlineMs : agent.deadlineMs
  const asker: Asker = { policy, ask: (question) => approvals.ask(question, agent, begun) }
  const record = await gate.answering(runtime, { id, tool }, asker, () => callTool(agent, tool, input, { signal, deadlineMs }, id))
  // Excludes the time that the user took to answer.
  return { ...record, duration: Math.max(0, record.duration - (approvals.waited - before)) }
}
