import type { CallRecord } from './calls.js'
import { h } from './dom.js'
import type { OpenedFolder } from './folder/collect.js'
import { createDropZone } from './folder/drop-zone.js'
import { pickFolder, readDrop } from './folder/open-folder.js'
import { formatBytes, plural } from './format.js'
import { createHeader } from './header.js'
import { createNotice } from './notice.js'
import { createPaneSwitch } from './pane-switch.js'
import type { PresetChoice } from './presets/choice.js'
import { presetChoices } from './presets/choices.js'
import { createPresetSwitch } from './presets/preset-switch.js'
import { createSession, type Files, type Session, type Snapshot } from './session.js'
import { createTerminalPane } from './terminal/terminal-pane.js'
import { movesIn } from './text/moves-in.js'
import { createViewPane } from './text/view-pane.js'
import { createToolsPane } from './tools/tools-pane.js'
import { createFilesPane } from './tree/files-pane.js'

export interface PlaygroundOptions {
  /** What the workspace begins with, by relative path; default nothing. */
  readonly files?: Files
  /** Shown as the workspace's name; default `workspace`. */
  readonly name?: string
  /** The presets to choose from; the first one is chosen. Default all. */
  readonly presets?: readonly PresetChoice[]
}

export interface Playground {
  /** The session that is open now: another one after "Open a folder". */
  readonly session: Session
  /** Opens these files as a new workspace. */
  load(name: string, files: Files): Promise<void>
  /** Shows a file; `path` is relative to the workspace. */
  openFile(path: string): Promise<void>
  dispose(): Promise<void>
}

const MAX_SUGGESTIONS = 30

/** Puts the playground into `root`, which it then owns. */
export async function mountPlayground(
  root: HTMLElement,
  { files = {}, name = 'workspace', presets: choices = presetChoices }: PlaygroundOptions = {},
): Promise<Playground> {
  let session = createSession(name, files)
  let snapshot: Snapshot = await session.snapshot()
  let kinds = kindsOf(snapshot)
  let disposed = false

  const notice = createNotice()
  const header = createHeader({
    onOpenFolder: () => void openFolder(pickFolder),
    onReset: () => void load(session.name, session.files).then(() => notice.tell('The files are as they were loaded.')),
  })
  const tree = createFilesPane((path) => void openFile(path))
  const view = createViewPane()
  const presets = createPresetSwitch({
    choices,
    onChange: (preset) => tools.usePreset(preset),
    onProblem: (text) => (text === undefined ? notice.clear() : notice.tell(text, 'error')),
  })
  const tools = createToolsPane({
    presets: presets.element,
    onMissing: presets.tellMissing,
    revision: () => snapshot.revision,
    look: refresh,
    suggest: (typed) => [...kinds.keys()].filter((path) => path.includes(typed)).slice(0, MAX_SUGGESTIONS),
    isPath: (text) => kinds.get(relative(text)) === 'file' && (text.includes('/') || text.includes('.')),
    relative,
    onOpenPath: (path, line) => void openFile(relative(path), line),
    onCall,
  })
  const panes = h('div', { class: 'panes' })
  const terminal = createTerminalPane(panes, async (record) => {
    tools.list(record)
    await onCall(record)
  })
  panes.append(tree.element, view.element, tools.element, terminal.element)
  const paneSwitch = createPaneSwitch(panes, (pane) => {
    if (pane === 'view') view.catchUp()
    if (pane === 'terminal') void terminal.open()
  })
  const drop = createDropZone(root, (transfer) => void openFolder(() => readDrop(transfer)))
  root.classList.add('playground')
  root.replaceChildren(header.element, notice.element, panes, paneSwitch.element, drop)
  // On the document: with nothing focused, keys go to the body.
  document.addEventListener('keydown', onKey)

  function relative(path: string): string {
    const { root } = session.workspace
    return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
  }

  async function openFile(path: string, line?: number): Promise<void> {
    tree.select(path)
    paneSwitch.show('view')
    await view.open(path, line)
  }

  async function onCall(record: CallRecord): Promise<void> {
    const { result, readOnly } = record
    terminal.follow(record)
    if (readOnly) return
    await refresh()
    // A file that was moved stays open under its new name.
    const moved = movesIn(result).find(({ from }) => relative(from) === view.path)
    if (moved) {
      tree.select(relative(moved.to))
      await view.open(relative(moved.to))
    } else await view.refresh()
  }

  /** Looks at the workspace, and gives its revision. */
  async function refresh(): Promise<number> {
    const own = session
    try {
      const next = await own.snapshot()
      if (own !== session) return snapshot.revision
      snapshot = next
    } catch (error) {
      // A workspace that was left is closed under its last look.
      if (own !== session || disposed) return snapshot.revision
      throw error
    }
    kinds = kindsOf(snapshot)
    tree.show(snapshot)
    header.setWorkspace(session.name, `${plural(snapshot.files, 'file')}, ${formatBytes(snapshot.bytes)}, in memory`)
    tools.filesSeen()
    return snapshot.revision
  }

  async function load(newName: string, newFiles: Files): Promise<void> {
    const next = createSession(newName, newFiles)
    const first = await next.snapshot()
    const previous = session
    session = next
    snapshot = first
    await begin()
    await previous.close()
  }

  async function begin(): Promise<void> {
    view.use(session)
    tree.select(undefined)
    await refresh()
    tools.use(session, presets.current)
    terminal.use(session)
    const start = firstFile(session.files)
    if (start === undefined) return
    tree.select(start)
    await view.open(start)
  }

  async function openFolder(read: () => Promise<OpenedFolder | undefined>): Promise<void> {
    notice.tell('Reading the folder…')
    try {
      const folder = await read()
      notice.clear()
      if (!folder) return
      await load(folder.name, folder.files)
      if (folder.skipped.length) notice.tell(`Opened a copy of ${folder.name}. Left out: ${folder.skipped.join(', ')}.`)
      else notice.tell(`Opened a copy of ${folder.name}. Your folder itself is never changed.`)
    } catch (error) {
      notice.tell(`The folder could not be opened: ${error instanceof Error ? error.message : String(error)}`, 'error')
    }
  }

  function onKey(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey)) return
    if (event.code === 'Backquote') {
      event.preventDefault()
      void terminal.toggle()
      if (terminal.isOpen) paneSwitch.show('terminal')
    } else if (event.key === 'Enter') {
      event.preventDefault()
      void (event.shiftKey ? tools.preview() : tools.run())
    }
  }

  await begin()
  await presets.start()
  return {
    get session() {
      return session
    },
    load,
    openFile,
    async dispose() {
      disposed = true
      document.removeEventListener('keydown', onKey)
      presets.dispose()
      terminal.dispose()
      root.replaceChildren()
      await session.close()
    },
  }
}

function kindsOf({ entries }: Snapshot): ReadonlyMap<string, string> {
  return new Map(entries.map((entry) => [entry.path, entry.kind]))
}

/** The file to begin with: the one that the first example changes, else the README, else any. */
function firstFile(files: Files): string | undefined {
  const paths = Object.keys(files)
  return ['src/host.ts', 'README.md'].find((path) => paths.includes(path)) ?? paths[0]
}
