import type { ManifestEntry } from 'toolport'
import { h } from '../dom.js'
import type { LoadedPreset } from '../presets/choice.js'
import type { Agent, Session } from '../session.js'
import { type Example, type ExampleTable, knownFiles } from './examples/known.js'
import { createOwnTools } from './own-tools.js'
import { createToolPicker, MAKER, type ToolPicker } from './tool-picker.js'

export interface ToolChoice {
  readonly element: HTMLElement
  readonly chosen: ManifestEntry | undefined
  /**
   * Takes over the tools of an agent and starts with an example, for the previously chosen tool if it still exists. Tools from workspace
   * files are available after `filesSeen()`.
   */
  use(session: Session, agent: Agent, preset: LoadedPreset): void
  /** Stops loading tools until another workspace is opened. */
  leave(): void
  /** Chooses a tool. Returns false and does nothing if it does not exist. */
  choose(tool: string): boolean
  /** Chooses a tool and fills in its first example. */
  chooseExample(tool: string): void
  /** Updates the list of tools. Keeps the form unless its tool is gone. */
  follow(): void
  has(tool: string): boolean
  /** Whether the tool is a file of the workspace. */
  isOwn(tool: string): boolean
  /** Call after each snapshot of the workspace. Resolves when tools from files are loaded. Never rejects. */
  filesSeen(): Promise<void>
}

export interface ToolChoiceOptions {
  /** Called when a tool is chosen. Undefined: there are no tools. */
  readonly onChoose: (tool: ManifestEntry | undefined, examples: ExampleTable[string]) => void
  /** Fills the form of the chosen tool with an example. */
  readonly onExample: (input: unknown) => void
  /** Fingerprint of the tool files in the last snapshot (`toolFilesOf`). */
  readonly toolFiles: () => string
  /** Reports problems with tool files. */
  readonly onProblem: (text: string) => void
}

/** Preferred first tools, if the preset has them and the files allow an example: an empty workspace has nothing to edit. */
const FAVOURITES = ['edit_file', 'file_edit', 'write_file', 'file_write']

/** The tools of an agent and the current choice. Follows changes of tool files. */
export function createToolChoice({ onChoose, onExample, toolFiles, onProblem }: ToolChoiceOptions): ToolChoice {
  const element = h('div')
  const ownTools = createOwnTools()
  let session: Session | undefined
  let agent: Agent | undefined
  let tools: readonly ManifestEntry[] = []
  let examplesOf: (name: string) => readonly (Example | undefined)[] = () => []
  let chosen: ManifestEntry | undefined
  let picker: ToolPicker | undefined

  const has = (name: string): boolean => tools.some((tool) => tool.name === name)
  const isOwn = (name: string): boolean => agent !== undefined && ownTools.isOwn(agent, name)

  function take(name: string): void {
    const tool = tools.find((one) => one.name === name)
    if (!tool) return
    chosen = tool
    onChoose(tool, examplesOf(name))
  }

  function choose(name: string): boolean {
    if (!has(name)) return false
    picker?.choose(name)
    take(name)
    return true
  }

  function chooseExample(name: string): void {
    if (choose(name)) onExample(examplesOf(name).find((example) => example)?.input)
  }

  function draw(own: Agent): void {
    const focused = element.contains(document.activeElement) && chosen?.name
    tools = own.runtime.registry.getModelManifest()
    picker = createToolPicker(tools, { onChoose: take, isOwn, onMake: makeTool })
    element.replaceChildren(picker.element)
    if (chosen) picker.choose(chosen.name, focused === chosen.name)
  }

  function makeTool(): void {
    chooseExample(MAKER)
    // The example's form has already replaced the previous form.
    element.closest('.pane-tools')?.querySelector<HTMLElement>('.tool-form .input')?.focus()
  }

  const canBegin = (name: string): boolean =>
    has(name) && (!FAVOURITES.includes(name) || examplesOf(name).some((example) => example !== undefined))

  function begin(): void {
    const first = [chosen?.name, ...FAVOURITES].find((name) => name !== undefined && canBegin(name)) ?? tools[0]?.name
    if (first !== undefined) {
      chooseExample(first)
      return
    }
    chosen = undefined
    onChoose(undefined, [])
  }

  /** Loads the tools from workspace files and reports problems. */
  async function loadOwn(own: Session, caller: Agent): Promise<void> {
    const problems = await ownTools.load(caller, toolFiles())
    if (session !== own || agent !== caller) return
    if (problems.length) onProblem(`Not every tool of the workspace is there. ${problems.join('. ')}`)
    follow(caller)
  }

  /** Redraws changed tools. Keeps the form unless its tool has changed or is gone. */
  function follow(caller: Agent): void {
    const now = caller.runtime.registry.getModelManifest()
    if (JSON.stringify(now) === JSON.stringify(tools)) return
    draw(caller)
    const same = tools.find(({ name }) => name === chosen?.name)
    if (!same) begin()
    else if (JSON.stringify(same) !== JSON.stringify(chosen)) take(same.name)
  }

  return {
    element,
    get chosen() {
      return chosen
    },
    has,
    isOwn,
    choose,
    chooseExample,
    follow: () => agent && follow(agent),
    use(own, next, { choice }) {
      session = own
      agent = next
      // Computed for each tool, because some examples refer to background sessions, which come and go.
      examplesOf = (name) => choice.examples?.(knownFiles(own.files, own.workspace.root, own.runtime.sessions.list()))[name] ?? []
      draw(next)
      begin()
    },
    leave() {
      session = agent = undefined
    },
    async filesSeen() {
      const [own, caller] = [session, agent]
      if (!own || !caller) return
      // A tool that a call has just created is available immediately.
      follow(caller)
      await loadOwn(own, caller)
    },
  }
}
