import type { ExportKind } from './archives/archives.js'
import { looksLikeArchive } from './archives/looks-like-archive.js'
import type { OpenedFolder } from './folder/collect.js'
import { readDrop } from './folder/open-folder.js'
import { plural } from './format.js'
import { busyFailure, isBusy } from './homes/failures.js'
import { choiceOf, deleteHome, type Home, isKept } from './homes/homes.js'
import { forgetHome } from './homes/known-homes.js'
import type { Leaving } from './homes/leaving.js'
import { openSession } from './homes/open-session.js'
import type { Beginning } from './new-workspace/beginnings.js'
import { messageOf, type Notice } from './notice.js'
import type { PackageSource } from './packages/registry.js'
import { createSession, type Session } from './session.js'

export interface WorkspaceActionsOptions {
  readonly current: () => Session
  /** Takes up another workspace, and leaves the one that is open. */
  readonly change: (next: Session) => Promise<void>
  /** The files have changed. */
  readonly lookAgain: () => Promise<void>
  readonly notice: Notice
  readonly packages: PackageSource | undefined
  readonly leaving: Leaving
}

/**
 * What is done to a workspace as a whole. Those that end in a notice never reject; the others tell by rejecting. False: what is open now
 * would have been lost, and the user stayed.
 */
export interface WorkspaceActions {
  move(home: Home): Promise<boolean>
  /** Opens a workspace that was not there, with something to begin with: all of it, or what is open now stays. */
  create(home: Home, beginning: Beginning): Promise<boolean>
  remove(home: Home): Promise<void>
  importArchive(file: File): Promise<void>
  exportArchive(kind: ExportKind): Promise<void>
  /** Ends in a notice. */
  openFolder(read: () => Promise<OpenedFolder | undefined>): Promise<void>
  /** One archive goes into the workspace, anything else becomes one. Ends in a notice. */
  drop(transfer: DataTransfer): Promise<void>
}

export function createWorkspaceActions({
  current,
  change,
  lookAgain,
  notice,
  packages,
  leaving,
}: WorkspaceActionsOptions): WorkspaceActions {
  async function move(home: Home): Promise<boolean> {
    const session = current()
    if (home.kind === session.home.kind && home.name === session.home.name) return true
    askToKeep(home)
    let isCopy = false
    const next = await openSession(home, {
      fill: async (workspace) => {
        isCopy = true
        const { copyWorkspace } = await import('./homes/copy-workspace.js')
        await copyWorkspace(session.workspace, workspace)
      },
      packages,
    })
    if (isCopy) leaving.goesOn(next)
    else if (!(await leaving.mayLeave())) {
      await next.close()
      return false
    }
    await change(next)
    if (isKept(home)) notice.tell(`“${home.name}” is kept in this browser, and opened again when the page is.`)
    else notice.tell(`This is a copy ${choiceOf(home.kind).place}: it is gone when the tab is closed.`)
    return true
  }

  async function create(home: Home, { fill }: Beginning): Promise<boolean> {
    if (!(await leaving.mayLeave())) return false
    askToKeep(home)
    let told = ''
    const next = await openSession(home, {
      onlyNew: true,
      fill: async (workspace) => {
        told = await fill(workspace)
      },
      packages,
    })
    await change(next)
    notice.tell(told)
    return true
  }

  async function importArchive(file: File): Promise<void> {
    const { workspace } = current()
    await workspace.checkpoint({ label: `Before the import of ${file.name}` })
    const { importFile } = await import('./archives/archives.js')
    const { files } = await importFile(workspace, file)
    notice.tell(`${plural(files, 'file')} of ${file.name} ${files === 1 ? 'is' : 'are'} in the workspace now. The timeline takes it back.`)
    await lookAgain()
  }

  async function openFolder(read: () => Promise<OpenedFolder | undefined>): Promise<void> {
    notice.tell('Reading the folder…')
    try {
      const folder = await read()
      notice.clear()
      if (!folder || !(await leaving.mayLeave())) return
      await change(createSession(folder.name, { files: folder.files, packages }))
      if (folder.skipped.length) notice.tell(`Opened a copy of ${folder.name}. Left out: ${folder.skipped.join(', ')}.`)
      else notice.tell(`Opened a copy of ${folder.name}. Your folder itself is never changed.`)
    } catch (error) {
      notice.tell(`The folder could not be opened: ${messageOf(error)}`, 'error')
    }
  }

  async function drop(transfer: DataTransfer): Promise<void> {
    const [file, ...others] = transfer.files
    if (!file || others.length > 0 || !looksLikeArchive(file.name)) return openFolder(() => readDrop(transfer))
    try {
      await importArchive(file)
    } catch (error) {
      notice.tell(`${file.name} was not imported: ${messageOf(error)}`, 'error')
    }
  }

  return {
    move,
    create,
    async remove(home) {
      await deleteHome(home).catch((error: unknown) => {
        throw isBusy(error) ? busyFailure(home, error) : error
      })
      forgetHome(home)
    },
    importArchive,
    async exportArchive(kind) {
      const { workspace, name } = current()
      const { download, exportFile } = await import('./archives/archives.js')
      download(await exportFile(workspace, kind), name, kind)
    },
    openFolder,
    drop,
  }
}

/** Asked for now, when somebody wants to keep something. What the browser answers is told in the dialog. */
function askToKeep(home: Home): void {
  if (isKept(home)) void navigator.storage?.persist?.().catch(() => false)
}
