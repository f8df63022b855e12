import { h } from '../dom.js'
import { type Collector, createCollector, type OpenedFolder, type Watch } from './collect.js'

/** The part of the File System Access API that this module uses. */
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

/** Number of files read concurrently, because each read waits for another browser process. */
const AT_ONCE = 16

/**
 * Lets the user choose a folder. Undefined if the user cancelled. Only reads: nothing leaves the page, and nothing is written to the
 * folder.
 */
export async function pickFolder(watch: Watch = {}): Promise<OpenedFolder | undefined> {
  const { showDirectoryPicker } = window as PickerWindow
  if (!showDirectoryPicker) return pickWithInput(watch)
  try {
    return await readHandle(await showDirectoryPicker.call(window, { mode: 'read' }), watch)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    throw error
  }
}

async function readHandle(root: DirectoryHandle, watch: Watch): Promise<OpenedFolder> {
  const collector = createCollector(undefined, watch)
  async function* entries(directory: DirectoryHandle, prefix: string): AsyncGenerator<Reading> {
    for await (const entry of directory.values()) {
      if (entry.kind === 'file') yield { path: prefix + entry.name, file: () => entry.getFile() }
      else if (collector.enters(entry.name)) yield* entries(entry, `${prefix}${entry.name}/`)
    }
  }
  await takeAll(collector, entries(root, ''))
  return collector.finish(root.name)
}

/** A file to read. */
interface Reading {
  readonly path: string
  readonly file: () => File | Promise<File>
}

async function takeAll(collector: Collector, all: AsyncIterable<Reading> | Iterable<Reading>): Promise<void> {
  let some: Reading[] = []
  const take = async (): Promise<void> => {
    await Promise.all(some.map(({ path, file }) => collector.take(path, file())))
    some = []
  }
  for await (const one of all) {
    some.push(one)
    if (some.length === AT_ONCE) await take()
    if (collector.full) return
  }
  await take()
}

function pickWithInput(watch: Watch): Promise<OpenedFolder | undefined> {
  const input = h('input', { type: 'file', webkitdirectory: true, multiple: true })
  return new Promise((resolve, reject) => {
    input.addEventListener('cancel', () => resolve(undefined))
    input.addEventListener('change', () => readFileList(input.files ?? [], watch).then(resolve, reject))
    input.click()
  })
}

/** Reads the files of a directory input, whose paths start with the folder's name, or of a plain file input. */
export async function readFileList(list: Iterable<File>, watch: Watch = {}): Promise<OpenedFolder> {
  const collector = createCollector(undefined, watch)
  let name = 'folder'
  function* wanted(): Generator<Reading> {
    for (const file of list) {
      const [folder, ...path] = (file.webkitRelativePath || file.name).split('/')
      if (path.length && folder) name = folder
      const place = path.length ? path : [file.name]
      if (place.slice(0, -1).every((part) => collector.enters(part))) yield { path: place.join('/'), file: () => file }
    }
  }
  await takeAll(collector, wanted())
  return collector.finish(name)
}

/** Reads dropped files and folders, recursively. */
export async function readEntries(entries: readonly FileSystemEntry[], watch: Watch = {}): Promise<OpenedFolder> {
  const collector = createCollector(undefined, watch)
  const [first] = entries
  const alone = entries.length === 1 && first?.isDirectory
  async function* within(all: readonly FileSystemEntry[], prefix: string): AsyncGenerator<Reading> {
    for (const entry of all) {
      if (entry.isFile) yield { path: prefix + entry.name, file: () => fileOf(entry as FileSystemFileEntry) }
      else if (collector.enters(entry.name)) yield* within(await children(entry as FileSystemDirectoryEntry), `${prefix}${entry.name}/`)
    }
  }
  await takeAll(collector, within(alone ? await children(first as FileSystemDirectoryEntry) : entries, ''))
  return collector.finish(alone ? first.name : 'dropped files')
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject))

/** Reads all entries. The reader returns them in batches; an empty batch marks the end. */
async function children(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const run = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (run.length === 0) return all
    all.push(...run)
  }
}
