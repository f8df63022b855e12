import type { Checkpoint } from 'toolport'
import { createAgentPane } from './agent/agent-pane.js'
import type { CallRecord } from './calls.js'
import { type Change, createChange } from './change-workspace.js'
import { createColumns } from './columns.js'
import { h } from './dom.js'
import { createDraftStore } from './editor/drafts.js'
import { createEditorPane } from './editor/editor-pane.js'
import { createDropZone } from './folder/drop-zone.js'
import { formatBytes, plural } from './format.js'
import { createHeader } from './header.js'
import type { Copy } from './homes/copy-workspace.js'
import { choiceOf, type Home, isKept } from './homes/homes.js'
import { lastHome, rememberHome } from './homes/known-homes.js'
import { createLeaving } from './homes/leaving.js'
import { reopen } from './homes/reopen.js'
import { createLateDialogs } from './late-dialogs.js'
import { createNotice } from './notice.js'
import { createNoFile, createOffers } from './offers.js'
import { type After, giveWay } from './pace.js'
import { createLatePackages } from './packages/late-packages.js'
import type { PackageSource } from './packages/registry.js'
import { createPageKeys } from './page-keys.js'
import { createPaneSwitch } from './pane-switch.js'
import { type PresetChoice, STANDARD } from './presets/choice.js'
import { createPreviewPane } from './preview/late-pane.js'
import { SAMPLE_PATH } from './sample-program.js'
import { createLateSearch } from './search/late-search.js'
import { createSession, type Files, type Session, type Snapshot } from './session.js'
import { createHistoryStore } from './terminal/history.js'
import { createTerminalPane } from './terminal/terminal-pane.js'
import { movesIn } from './text/moves-in.js'
import { createGoingBack } from './timeline/going-back.js'
import { createLateMoment } from './timeline/late-moment.js'
import { createTimeline } from './timeline/timeline.js'
import { createLateTools } from './tools/late-tools.js'
import { toolFilesOf } from './tools/own-tools.js'
import { createFilesPane } from './tree/files-pane.js'
import { createTreeActions } from './tree/tree-actions.js'
import { createSearchSource } from './web-search/search-source.js'
import { whileOpening } from './while-opening.js'
import { createLoading } from './while-working.js'
import { createWorkPane, type Work } from './work-pane.js'
import { createWorkspaceActions } from './workspace-actions.js'

export interface PlaygroundOptions {
  /** Initial files by relative path, or a function that loads them after the page is shown. Default: none. */
  readonly files?: Files | (() => Promise<Files>)
  /** Name of the workspace. Default: `workspace`. */
  readonly name?: string
  /** Available presets; the first one is selected. Default: all. */
  readonly presets?: readonly PresetChoice[]
  /** Reopens the stored workspace that was open last, and remembers which one is open. Default: false. */
  readonly remember?: boolean
  /** The package registry. Default: none, which the page tells the user. */
  readonly packages?: PackageSource
  /** Path of the page that hosts the frames of apps. Default: none, for a page without a content security policy. */
  readonly previewFrame?: string
  /** The tab that is selected first in the pane of the agent and the tools. Default: the agent. */
  readonly work?: Work
  /** Timer that hides messages. Default: the browser's timer. */
  readonly after?: After
}

export interface Playground {
  /** The open session. Changes when another workspace is opened. */
  readonly session: Session
  /** Opens these files as a new in-memory workspace. */
  load(name: string, files: Files): Promise<void>
  /**
   * Opens a workspace. An empty stored workspace gets the files of the open one. False: changes would have been lost, and the user chose to
   * stay.
   */
  move(home: Home): Promise<boolean>
  /** Shows a file. `path` is relative to the workspace. */
  openFile(path: string): Promise<void>
  dispose(): Promise<void>
}

const MAX_SUGGESTIONS = 30

/** Mounts the playground into `root`, and takes over its content. */
export async function mountPlayground(
  root: HTMLElement,
  {
    files = {},
    name = 'workspace',
    presets: choices,
    remember = false,
    packages: source,
    previewFrame,
    work: firstWork = 'agent',
    after,
  }: PlaygroundOptions = {},
): Promise<Playground> {
  const notice = createNotice(after)
  const onProblem = (text: string): void => notice.tell(text, 'error')
  // Assigned before any part of the page can be used.
  let session: Session
  let snapshot: Snapshot
  let kinds: ReadonlyMap<string, string> = new Map()
  let disposed = false

  /** The state and functions of the page that its parts use. */
  const page = {
    host: root,
    remember,
    notice,
    loading: createLoading(notice),
    current: () => session,
    lookAgain,
    isPath: (text: string) => kinds.get(relative(text)) === 'file' && (text.includes('/') || text.includes('.')),
    relative,
    onOpenPath: (path: string, line?: number) => void openFile(relative(path), line),
    onCall: listCall,
    onProblem,
    toolFiles: () => toolFilesOf(snapshot),
  }
  const header = createHeader({
    onOpenFolder: () => void actions.openFolder(),
    onReset: () => void goingBack.startOver(),
    onWorkspace: () => void dialogs.openWorkspace(),
    onHelp: () => void dialogs.openHelp(),
  })
  const leaving = createLeaving({
    ...page,
    changed: () => snapshot.changes.size,
    look: refresh,
    unsaved: () => view.unsaved,
    lacking: () => view.lacking,
    isOpenedAgain: () => isKept(session.home) || isFirst(session.home),
    isRunning: () => session.isRunning || agent.isBusy,
  })
  const drafts = createDraftStore(remember ? 'toolport.drafts' : undefined)
  const actions = createWorkspaceActions({
    ...page,
    change: (next, how) => change(next, how),
    packages: source,
    leaving,
    drafts,
  })
  const searchSource = createSearchSource(remember)
  const dialogs = createLateDialogs({
    ...page,
    onOpen: actions.move,
    onDelete: actions.remove,
    onCreate: actions.create,
    onImport: actions.importArchive,
    onExport: actions.exportArchive,
  })
  const timeline = createTimeline({ onOpen: openMoment, onProblem })
  const packages = createLatePackages({ ...page, packages: source, onTry: (name) => void tryPackage(name) })
  const search = createLateSearch({
    ...page,
    onShow: () => {
      paneSwitch.show('files')
      tree.showSearch()
    },
    onLeave: () => tree.focus(),
    onOpen: (path, line) => void openFile(path, line),
    onGo: (path, line) =>
      void openFile(path, line).then(() => {
        view.focus()
        // Selects the file's row here too: while the tree has the focus, opening a file does not move the selection.
        tree.select(view.path)
      }),
  })
  const offer = {
    onNewFile: () => {
      paneSwitch.show('files')
      tree.newFile()
    },
    onOpenFolder: () => void actions.openFolder(),
    onSamples: () => void dialogs.openWorkspace(),
  }
  const noFile = createNoFile({ ...offer, onFind: () => void search.goToFile() })
  const tree = createFilesPane({
    onOpen: (path) => void openFile(path),
    offers: createOffers(offer),
    actions: createTreeActions({ ...page, onMoved: (from, to) => view.moved(from, to) }),
    search: search.element,
    onSearch: search.shown,
    timeline: timeline.element,
    packages: packages.element,
    onPackages: packages.shown,
  })
  const view = createEditorPane({
    ...page,
    noFile: noFile.element,
    onPreview: (path) => void preview.tryToShow({ path: `/${path.split('/').map(encodeURIComponent).join('/')}`, asText: true }),
    drafts,
    onSaved: async () => {
      await refresh()
      await moment.refresh()
    },
    onShow: (path) => {
      tree.select(path)
      if (path !== undefined) search.opened(path)
    },
  })
  const preview = createPreviewPane({
    ...page,
    host: view.element,
    frameHost: previewFrame,
    onOpened(isOpen) {
      paneSwitch.offerApp(isOpen)
      // On a narrow screen, the conversation stays visible.
      if (isOpen && paneSwitch.shown !== 'agent') paneSwitch.show('preview')
    },
  })
  const goingBack = createGoingBack({ ...page, unsaved: () => view.unsaved })
  const moment = createLateMoment({ ...page, view: view.element, mark: timeline.mark, onRestore: goingBack.restore })
  const tools = createLateTools({
    ...page,
    choices,
    search: searchSource,
    revision: () => snapshot.revision,
    look: refresh,
    suggest: (typed) => [...kinds.keys()].filter((path) => path.includes(typed)).slice(0, MAX_SUGGESTIONS),
    onCall,
    onProblem: (text) => (text === undefined ? notice.clear() : onProblem(text)),
  })
  const agent = createAgentPane({
    ...page,
    showChange(path, asked) {
      // On a narrow screen, the conversation stays visible.
      if (asked || !matchMedia('(max-width: 860px)').matches) void openFile(path)
    },
    onMoment: openMoment,
    onWaits: (waiting) => work.waits(waiting),
  })
  const changeTo = createChange({
    ...page,
    agent,
    take(next, seen) {
      session = next
      preview.use(next)
      snapshot = seen
    },
    show,
  })
  const change: Change = (next, how) => changeTo(withSearch(next), how)
  const work = createWorkPane(agent.element, tools.element, (shown) => paneSwitch.show(shown))
  const panes = h('main', { class: 'panes' })
  const terminal = createTerminalPane(panes, {
    ...page,
    history: createHistoryStore(remember ? 'toolport.history' : undefined),
    heightKey: remember ? 'toolport.terminal-height' : undefined,
    onActivity: () => void lookAgain(),
  })
  const parts = [tree.element, createColumns(panes, remember), view.element, work.element, terminal.element]
  panes.append(notice.element, ...parts)
  const paneSwitch = createPaneSwitch(panes, firstWork, (pane) => {
    if (pane === 'agent' || pane === 'tools') work.show(pane)
    if (pane === 'tools') void tools.open()
    if (pane === 'view') view.catchUp()
    if (pane === 'terminal') void terminal.open()
  })
  root.classList.add('playground')
  root.replaceChildren(header.element, panes, paneSwitch.element)
  header.setWorkspace(name, 'opening…')
  await whileOpening(root, [header.element, ...parts, paneSwitch.element], async () => {
    session = await firstSession()
    preview.use(session)
    snapshot = await session.snapshot()
    await begin(session)
  })
  root.append(createDropZone(root, (transfer) => void actions.drop(transfer)))
  const onKey = createPageKeys({ dialogs, terminal, paneSwitch, view, work, tools })
  // Listens on the document: without a focused element, key events go to the body.
  document.addEventListener('keydown', onKey)
  window.addEventListener('beforeunload', leaving.onUnload)
  if (firstWork === 'tools') await tools.open()

  async function firstSession(): Promise<Session> {
    const seed = async (): Promise<Files> => (typeof files === 'function' ? files() : files)
    const kept = remember ? await reopen(seed, source, onProblem) : undefined
    return withSearch(kept ?? createSession(name, { files: await seed(), packages: source }))
  }

  function withSearch(one: Session): Session {
    one.converseWith(searchSource.standardTools)
    return one
  }

  function relative(path: string): string {
    const { root } = session.workspace
    return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
  }

  async function openFile(path: string, line?: number): Promise<void> {
    moment.close()
    tree.select(path)
    paneSwitch.show('view')
    await view.open(path, line)
  }

  function openMoment(checkpoint: Checkpoint): void {
    paneSwitch.show('view')
    void moment.open(checkpoint)
  }

  /** Fills the form with a program that prints the exports of a package. */
  async function tryPackage(name: string): Promise<void> {
    const code = `import * as all from ${JSON.stringify(name)}\n\nconsole.log(Object.keys(all))\n`
    const { lackedBy } = await tools.load('run_js', { code })
    if (lackedBy === undefined) paneSwitch.show('tools')
    else notice.tell(`The preset ${lackedBy} runs no programs. Choose ${STANDARD} to try a package.`)
  }

  /** Refreshes the page after a change that no call of the page made. */
  async function lookAgain(): Promise<void> {
    notice.called()
    await refresh()
    await view.refresh()
    await moment.refresh()
  }

  async function listCall(record: CallRecord): Promise<void> {
    tools.list(record)
    await onCall(record)
  }

  async function onCall(record: CallRecord): Promise<void> {
    const { result, readOnly } = record
    const own = session
    terminal.follow(record)
    if (readOnly) return
    notice.called()
    await refresh()
    await moment.refresh()
    if (session !== own) return
    // A moved file stays open under its new name.
    for (const { from, to } of movesIn(result)) view.moved(relative(from), relative(to))
    tree.select(view.path)
    await view.refresh()
  }

  /** Refreshes the snapshot of the workspace and returns its revision. */
  async function refresh(): Promise<number> {
    const own = session
    try {
      const next = await own.snapshot()
      if (own !== session) return snapshot.revision
      snapshot = next
    } catch (error) {
      // The user has left this workspace, so it was closed while the snapshot was taken.
      if (own !== session || disposed) return snapshot.revision
      throw error
    }
    kinds = kindsOf(snapshot)
    tree.show(snapshot)
    noFile.show(snapshot.files)
    header.setWorkspace(
      session.name,
      `${plural(snapshot.files, 'file')}, ${formatBytes(snapshot.bytes)}, ${choiceOf(session.home.kind).place}`,
    )
    await timeline.refresh()
    void tools.filesSeen()
    for (const part of [packages, search, preview]) void part.seen(snapshot)
    return snapshot.revision
  }

  async function load(newName: string, newFiles: Files): Promise<void> {
    const problem = await change(createSession(newName, { files: newFiles, packages: source }))
    if (problem !== undefined) onProblem(problem)
  }

  /** Whether `home` is the page's initial workspace in memory and there is no remembered workspace to reopen. */
  function isFirst(home: Home): boolean {
    return home.kind === 'memory' && home.name === name && !(remember && lastHome())
  }

  async function show(copy: Copy | undefined): Promise<void> {
    if (remember) rememberHome(session.home, Date.now())
    const own = session
    await begin(own, copy)
    // On a narrow screen, shows the pane with the first file.
    if (session === own) paneSwitch.show(view.path === undefined ? 'files' : 'view')
  }

  /** Shows a workspace. Stops if the user opens another workspace meanwhile, because that call of `begin` shows the other one. */
  async function begin(own: Session, copy?: Copy): Promise<void> {
    notice.called()
    moment.close()
    // Immediately, so that nothing more happens to the previous workspace.
    if (!copy) agent.use(own)
    tools.leave()
    for (const part of [terminal, timeline, packages, search]) part.use(own)
    try {
      if (copy) await view.goOn(own)
      else view.use(own)
      if (session !== own) return
      tree.select(view.path)
      await refresh()
      // Yields between the parts, because redrawing all of them in one task would block the page.
      await giveWay()
    } finally {
      // Runs even if another part cannot be shown.
      if (session === own) tools.use(own)
    }
    await giveWay()
    if (session !== own) return
    if (view.path !== undefined) return view.refresh()
    const start = firstFile(own.files)
    if (start === undefined) return
    tree.select(start)
    await view.open(start)
  }

  return {
    get session() {
      return session
    },
    load,
    move: actions.move,
    openFile,
    async dispose() {
      disposed = true
      document.removeEventListener('keydown', onKey)
      window.removeEventListener('beforeunload', leaving.onUnload)
      for (const part of [tools, search, agent, view, preview, terminal]) part.dispose()
      root.replaceChildren()
      await session.close()
    },
  }
}

function kindsOf({ entries }: Snapshot): ReadonlyMap<string, string> {
  return new Map(entries.map((entry) => [entry.path, entry.kind]))
}

/** The file to show first: the sample program, which Run, the recording and the examples use; else the README; else any file. */
function firstFile(files: Files): string | undefined {
  const paths = Object.keys(files)
  return [SAMPLE_PATH, 'README.md'].find((path) => paths.includes(path)) ?? paths[0]
}
