import type { ExportKind } from './archives/archives.js'
import type { Change, Changing } from './change-workspace.js'
import { type DraftStore, draftsKey } from './editor/drafts.js'
import type { OpenedFolder, Watch } from './folder/collect.js'
import { formatCount, plural } from './format.js'
import { busyFailure, isBusy } from './homes/failures.js'
import { choiceOf, type Home, isKept } from './homes/homes.js'
import { isKnown } from './homes/known-homes.js'
import type { Leaving } from './homes/leaving.js'
import { openCopy } from './homes/open-copy.js'
import { openSession, writeFiles } from './homes/open-session.js'
import type { Task } from './homes/task-bar.js'
import { deleteHome } from './homes/unfinished.js'
import type { Beginning } from './new-workspace/beginnings.js'
import { messageOf, type Notice, type Told } from './notice.js'
import type { PackageSource } from './packages/registry.js'
import { createSession, type Session } from './session.js'
import { visibleNameText } from './visible.js'
import { whileWorking } from './while-working.js'

export interface WorkspaceActionsOptions {
  readonly current: () => Session
  readonly change: Change
  readonly lookAgain: () => Promise<void>
  readonly notice: Notice
  readonly packages: PackageSource | undefined
  readonly leaving: Leaving
  readonly drafts: DraftStore
}

/**
 * Actions on a whole workspace. Actions that end with a notice never reject; the others reject with a message for the user. False: data of
 * the open workspace would have been lost, so the user chose to stay.
 */
export interface WorkspaceActions {
  move(home: Home, task?: Task): Promise<boolean>
  /** Creates and opens a workspace with initial content. If that fails, the open workspace stays. */
  create(home: Home, beginning: Beginning, task?: Task): Promise<boolean>
  remove(home: Home): Promise<void>
  importArchive(file: File, task?: Task): Promise<void>
  exportArchive(kind: ExportKind, task?: Task): Promise<void>
  /** Opens a folder that the user chooses. Ends with a notice. */
  openFolder(): Promise<void>
  /** Opens a dropped folder as a workspace, or adds dropped files or the content of an archive to the open one. Ends with a notice. */
  drop(transfer: DataTransfer): Promise<void>
}

export function createWorkspaceActions({
  current,
  change,
  lookAgain,
  notice,
  packages,
  leaving,
  drafts,
}: WorkspaceActionsOptions): WorkspaceActions {
  async function move(home: Home, task?: Task): Promise<boolean> {
    const session = current()
    if (home.kind === session.home.kind && home.name === session.home.name) return true
    const isNew = !isKnown(home)
    if (isNew && !(await leaving.mayGoOn())) return false
    askToKeep(home)
    const { next, copy, lost } = await openCopy(home, session, { onlyNew: isNew, packages, task })
    // The user may have opened another workspace meanwhile, which does not continue in this copy.
    const goesOn = copy !== undefined && current() === session
    if (!goesOn && !(await mayLeaveFor(next, copy !== undefined))) return false
    if (goesOn) leaving.goesOn(next, lost === undefined)
    const problem = await takeUp(next, { copy: goesOn ? copy : undefined, signal: task?.signal }, copy !== undefined)
    const place = isKept(home)
      ? `“${home.name}” is kept in this browser, and opened again when the page is.`
      : `This is a copy ${choiceOf(home.kind).place}: it is gone when the tab is closed.`
    const without = goesOn && lost !== undefined ? ` The moments of the timeline could not be taken along: ${lost}` : ''
    tellOpened(`${problem ?? place}${without}`, problem !== undefined)
    return true
  }

  async function create(home: Home, { fill }: Beginning, task?: Task): Promise<boolean> {
    askToKeep(home)
    let told = ''
    const next = await openSession(home, {
      onlyNew: true,
      fill: async (workspace) => {
        told = await fill(workspace, task)
      },
      packages,
      signal: task?.signal,
    })
    // Asks only now, because the creation may fail, and the open workspace may change meanwhile.
    if (!(await mayLeaveFor(next, true))) return false
    const problem = await takeUp(next, { signal: task?.signal }, true)
    tellOpened(problem ?? told, problem !== undefined)
    return true
  }

  const tellOpened = (text: string, isProblem: boolean): void => notice.tell(text, isProblem ? 'error' : undefined)

  /** Asks whether the open workspace may be closed. If not, or if asking fails, gives up the new workspace. */
  async function mayLeaveFor(next: Session, isMade: boolean): Promise<boolean> {
    const may = await leaving.mayLeave().catch(async (error: unknown) => {
      await giveUp(next, isMade).catch(() => undefined)
      throw error
    })
    if (!may) await giveUp(next, isMade)
    return may
  }

  /** Calls `change`. `isMade`: the workspace was created for this, and is deleted on failure. */
  async function takeUp(next: Session, how: Changing, isMade: boolean): Promise<string | undefined> {
    try {
      return await change(next, how)
    } catch (error) {
      await giveUp(next, isMade).catch(() => undefined)
      throw error
    }
  }

  /** Closes a workspace. `isMade`: it was created for this and is deleted. */
  async function giveUp(next: Session, isMade: boolean): Promise<void> {
    await next.close()
    if (isMade && isKept(next.home)) await deleteHome(next.home)
  }

  /** Awaits a change of files and refreshes the page, also after a failure, because part of the change may have been shown. */
  async function shown<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } finally {
      await lookAgain()
    }
  }

  /** Imports an archive and returns the message. `onBegun`: called before the first write. */
  async function bringIn(file: File, task?: Task, onBegun?: () => void): Promise<string> {
    const { workspace } = current()
    const { importFile, toldOf } = await import('./archives/archives.js')
    // Takes the checkpoint only after the archive has passed its checks.
    const keep = async (): Promise<void> => {
      await workspace.checkpoint({ label: `Before the import of ${file.name}`.slice(0, 200), reuse: true })
      onBegun?.()
    }
    return toldOf(await shown(importFile(workspace, file, task, keep)), file.name)
  }

  async function dropArchive(file: File): Promise<void> {
    const stop = new AbortController()
    let came = 'Nothing was changed.'
    const onBegun = (): void => {
      came = 'The timeline has the files as they were before it.'
    }
    try {
      const doing = `Importing “${visibleNameText(file.name)}”`
      notice.tell(await whileWorking(notice, doing, (task) => bringIn(file, task, onBegun), { stop }))
    } catch (error) {
      if (!stop.signal.aborted) throw error
      notice.tell(`The import was stopped. ${came}`)
    }
  }

  async function openFolder(read: (watch: Watch) => Promise<OpenedFolder | undefined>): Promise<void> {
    const stop = new AbortController()
    const reading = notice.follow('Reading the folder…', { label: 'Cancel', run: () => stop.abort() })
    try {
      const folder = await read(tellHowFar(reading, stop.signal))
      reading.clear()
      if (!folder || !(await leaving.mayLeave())) return
      const fs = await (await import('./folder/folder-fs.js')).folderFs(folder)
      const next = (): Session => createSession(folder.name, { fs, files: folder.files, packages })
      const doing = `Opening “${visibleNameText(folder.name)}”`
      const problem = await whileWorking(notice, doing, ({ signal }) => change(next(), { signal }), { stop })
      const rest = folder.skipped.length > 0 ? `Left out: ${folder.skipped.join(', ')}.` : 'Your folder itself is never changed.'
      tellOpened(problem ?? `Opened a copy of ${folder.name}. ${rest}`, problem !== undefined)
    } catch (error) {
      if (stop.signal.aborted) notice.tell('The folder was not opened.')
      else notice.tell(`The folder could not be opened: ${messageOf(error)}`, 'error')
    }
  }

  /** Adds files and returns the message. */
  async function addFiles(dropped: readonly File[], { tell }: Task): Promise<string> {
    const { workspace } = current()
    const { readFileList } = await folders()
    const { files, skipped } = await readFileList(dropped)
    const names = Object.keys(files)
    const what = names.length === 1 ? (names[0] as string) : plural(names.length, 'file')
    await workspace.checkpoint({ label: `Before ${what} ${names.length === 1 ? 'was' : 'were'} dropped here` })
    await shown(writeFiles(workspace, files, (count) => tell(`${formatCount(count)} of ${plural(names.length, 'file')}`)))
    const left = skipped.length > 0 ? ` Left out: ${skipped.join(', ')}.` : ''
    return `${visibleNameText(what)} ${names.length === 1 ? 'is' : 'are'} in the workspace now. The timeline takes it back.${left}`
  }

  async function drop(transfer: DataTransfer): Promise<void> {
    const files = [...transfer.files]
    // The entries are invalid after the first await, so all are requested now.
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
    if (entries.some(({ isDirectory }) => isDirectory)) return openFolder(async (watch) => (await folders()).readEntries(entries, watch))
    const [file] = files
    if (!file) return
    const isArchive = files.length === 1 && looksLikeArchive(file.name)
    try {
      if (isArchive) return await dropArchive(file)
      const doing = `Adding ${files.length === 1 ? `“${visibleNameText(file.name)}”` : plural(files.length, 'file')}`
      notice.tell(await whileWorking(notice, doing, (task) => addFiles(files, task)))
    } catch (error) {
      notice.tell(`${files.length === 1 ? visibleNameText(file.name) : 'The files'} could not be added: ${messageOf(error)}`, 'error')
    }
  }

  return {
    move,
    create,
    async remove(home) {
      await deleteHome(home).catch((error: unknown) => {
        throw isBusy(error) ? busyFailure(home, error) : error
      })
      drafts.clear(draftsKey(home))
    },
    async importArchive(file, task) {
      notice.tell(await bringIn(file, task))
    },
    async exportArchive(kind, task) {
      const { workspace, name } = current()
      const { download, exportFile } = await import('./archives/archives.js')
      download(await exportFile(workspace, kind, task), name, kind)
    },
    openFolder: () => openFolder(async (watch) => (await folders()).pickFolder(watch)),
    drop,
  }
}

/** The module that opens folders, loaded on first use. */
const folders = (): Promise<typeof import('./folder/open-folder.js')> => import('./folder/open-folder.js')

/** Shows how many files of a folder have been read. */
function tellHowFar(reading: Told, signal: AbortSignal): Watch {
  return {
    signal,
    onFiles(count) {
      if (!signal.aborted) reading.update(plural(count, 'file'))
    },
  }
}

/** Asks the browser for persistent storage when the user first wants to keep a workspace. The dialog shows the browser's answer. */
function askToKeep(home: Home): void {
  if (isKept(home)) void navigator.storage?.persist?.().catch(() => false)
}

/** Whether the name of a dropped file suggests an archive. The import checks the file's first bytes. */
const looksLikeArchive = (name: string): boolean => /\.(?:tar|tgz|tar\.gz|zip|toolport)$/i.test(name)
