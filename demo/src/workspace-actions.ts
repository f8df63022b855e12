import { download, type ExportKind, exportFile, importFile, looksLikeArchive } from './archives/archives.js'
import type { OpenedFolder } from './folder/collect.js'
import { readDrop } from './folder/open-folder.js'
import { plural } from './format.js'
import { deleteHome, type Home, isKept } from './homes/homes.js'
import { forgetHome } from './homes/known-homes.js'
import { messageOf, type Notice } from './notice.js'
import type { PackageSource } from './packages/registry.js'
import { createSession, type Files, openSession, type Session } from './session.js'

export interface WorkspaceActionsOptions {
  readonly current: () => Session
  /** Takes up another workspace, and leaves the one that is open. */
  readonly change: (next: Session) => Promise<void>
  /** The files have changed. */
  readonly lookAgain: () => Promise<void>
  readonly notice: Notice
  readonly packages: PackageSource | undefined
}

/** What is done to a workspace as a whole. Those that end in a notice never reject; the others tell by rejecting. */
export interface WorkspaceActions {
  move(home: Home): Promise<void>
  remove(home: Home): Promise<void>
  importArchive(file: File): Promise<void>
  exportArchive(kind: ExportKind): Promise<void>
  /** Ends in a notice. */
  openFolder(read: () => Promise<OpenedFolder | undefined>): Promise<void>
  /** One archive goes into the workspace, anything else becomes one. Ends in a notice. */
  drop(transfer: DataTransfer): Promise<void>
}

export function createWorkspaceActions({ current, change, lookAgain, notice, packages }: WorkspaceActionsOptions): WorkspaceActions {
  async function move(home: Home): Promise<void> {
    const session = current()
    if (home.kind === session.home.kind && home.name === session.home.name) return
    const present = await copyOf(session)
    if (!isKept(home)) {
      await change(createSession(home.name, { files: present, packages }))
      notice.tell('This is a copy in memory: it is gone when the tab is closed.')
      return
    }
    // Asked for now, when somebody wants to keep something. What the browser answers is told in the dialog.
    void navigator.storage?.persist?.().catch(() => false)
    await change(await openSession(home, present, packages))
    notice.tell(`“${home.name}” is kept in this browser, and opened again when the page is.`)
  }

  async function importArchive(file: File): Promise<void> {
    const { workspace } = current()
    await workspace.checkpoint({ label: `Before the import of ${file.name}` })
    const { files } = await importFile(workspace, file)
    notice.tell(`${plural(files, 'file')} of ${file.name} ${files === 1 ? 'is' : 'are'} in the workspace now. The timeline takes it back.`)
    await lookAgain()
  }

  async function openFolder(read: () => Promise<OpenedFolder | undefined>): Promise<void> {
    notice.tell('Reading the folder…')
    try {
      const folder = await read()
      notice.clear()
      if (!folder) return
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
    async remove(home) {
      await deleteHome(home)
      forgetHome(home)
    },
    importArchive,
    async exportArchive(kind) {
      const { workspace, name } = current()
      download(await exportFile(workspace, kind), name, kind)
    },
    openFolder,
    drop,
  }
}

/** All that is in it, to be put elsewhere. */
async function copyOf({ workspace }: Session): Promise<Files> {
  const files = Object.entries(await workspace.files())
  return Object.fromEntries(files.map(([path, content]) => [path, typeof content === 'string' ? content : new Uint8Array(content)]))
}
