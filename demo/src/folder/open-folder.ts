import { h } from '../dom.js'
import type { Collector, OpenedFolder } from './collect.js'

/** The part of a directory handle of the File System Access API that is used. */
interface DirectoryHandle {
  readonly kind: 'directory'
  readonly name: string
  values(): AsyncIterable<DirectoryHandle | FileHandle>
}
interface FileHandle {
  readonly kind: 'file'
  readonly name: string
  getFile(): Promise<File>
}
type PickerWindow = Window & { showDirectoryPicker?: (options: { mode: 'read' }) => Promise<DirectoryHandle> }

/** Lets the user choose a folder; undefined when none was chosen. Nothing leaves the page, and nothing is written to the folder. */
export async function pickFolder(): Promise<OpenedFolder | undefined> {
  const { showDirectoryPicker } = window as PickerWindow
  if (!showDirectoryPicker) return pickWithInput()
  try {
    return await readHandle(await showDirectoryPicker.call(window, { mode: 'read' }))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    throw error
  }
}

/** Loaded when there is something to collect. */
const lateCollector = async (): Promise<Collector> => (await import('./collect.js')).createCollector()

async function readHandle(root: DirectoryHandle): Promise<OpenedFolder> {
  const collector = await lateCollector()
  async function read(directory: DirectoryHandle, prefix: string): Promise<void> {
    for await (const entry of directory.values()) {
      if (collector.full) return
      if (entry.kind === 'file') await collector.take(prefix + entry.name, await entry.getFile())
      else if (collector.enters(entry.name)) await read(entry, `${prefix}${entry.name}/`)
    }
  }
  await read(root, '')
  return collector.finish(root.name)
}

function pickWithInput(): Promise<OpenedFolder | undefined> {
  const input = h('input', { type: 'file', webkitdirectory: true, multiple: true })
  return new Promise((resolve, reject) => {
    input.addEventListener('cancel', () => resolve(undefined))
    input.addEventListener('change', () => readFileList(input.files ?? []).then(resolve, reject))
    input.click()
  })
}

/** The files of a directory input: their paths begin with the folder's name. */
export async function readFileList(list: Iterable<File>): Promise<OpenedFolder> {
  const collector = await lateCollector()
  let name = 'folder'
  for (const file of list) {
    const [folder, ...path] = (file.webkitRelativePath || file.name).split('/')
    if (path.length && folder) name = folder
    const place = path.length ? path : [file.name]
    if (place.slice(0, -1).every((part) => collector.enters(part))) await collector.take(place.join('/'), file)
  }
  return collector.finish(name)
}

/** What was dropped on the page: folders with what is in them, and files. */
export async function readDrop(transfer: DataTransfer): Promise<OpenedFolder | undefined> {
  // The entries are gone after the first await, so they are all asked for now.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  const [first] = entries
  if (!first) return undefined
  const collector = await lateCollector()
  const alone = entries.length === 1 && first.isDirectory
  for (const entry of alone ? await children(first as FileSystemDirectoryEntry) : entries) await readEntry(entry, '', collector)
  return collector.finish(alone ? first.name : 'dropped files')
}

async function readEntry(entry: FileSystemEntry, prefix: string, collector: Collector): Promise<void> {
  if (collector.full) return
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    await collector.take(prefix + entry.name, file)
  } else if (collector.enters(entry.name)) {
    for (const child of await children(entry as FileSystemDirectoryEntry)) await readEntry(child, `${prefix}${entry.name}/`, collector)
  }
}

/** A reader hands out its entries in runs; an empty run is the end. */
async function children(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const run = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (run.length === 0) return all
    all.push(...run)
  }
}
