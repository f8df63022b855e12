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
   * Takes the tools of an agent, and begins with an example: of the tool that was chosen, where it is there too. Those that the workspace has
   * as files are there after `filesSeen()`.
   */
  use(session: Session, agent: Agent, preset: LoadedPreset): void
  /** Nothing more is taken up until another workspace is there. */
  leave(): void
  /** False, and nothing happens, where there is no such tool. */
  choose(tool: string): boolean
  /** Chooses a tool, and fills in its first example. */
  chooseExample(tool: string): void
  /** Tools have come or gone: the form stays, unless its tool has gone. */
  follow(): void
  has(tool: string): boolean
  /** Whether the workspace itself has it, as a file. */
  isOwn(tool: string): boolean
  /** The workspace has been looked at. Resolves when the tools are there that it has as files; never rejects. */
  filesSeen(): Promise<void>
}

export interface ToolChoiceOptions {
  /** A tool is chosen, or none, where there is none. */
  readonly onChoose: (tool: ManifestEntry | undefined, examples: ExampleTable[string]) => void
  /** The chosen tool shall begin with this. */
  readonly onExample: (input: unknown) => void
  /** What the files of tools were when the workspace was seen last (`toolFilesOf`). */
  readonly toolFiles: () => string
  /** Something is wrong with them. */
  readonly onProblem: (text: string) => void
}

/** Chosen first, where the preset has it and the files allow an example: an empty workspace has nothing to edit. */
const FAVOURITES = ['edit_file', 'file_edit', 'write_file', 'file_write']

/** The tools of an agent, of which one is chosen. They come and go with the files of tools. */
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
    // Its form is drawn by then, in the place of the one before.
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

  /** Takes up the tools that the workspace has as files, and tells what is wrong with them. */
  async function loadOwn(own: Session, caller: Agent): Promise<void> {
    const problems = await ownTools.load(caller, toolFiles())
    if (session !== own || agent !== caller) return
    if (problems.length) onProblem(`Not every tool of the workspace is there. ${problems.join('. ')}`)
    follow(caller)
  }

  /** The tools are others than those that are drawn. The form stays, unless its tool has gone or is another one now. */
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
      // Anew for each tool: some speak of a background session, which comes and goes.
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
      // One that was made by a call is there at once.
      follow(caller)
      await loadOwn(own, caller)
    },
  }
}
