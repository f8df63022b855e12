import type { FsAdapter } from '../../src/types/fs.js'
import { toFsError } from './faults.js'
import { setFolder } from './folder-of.js'
import { type Files, importFiles, ownFiles } from './import-files.js'
import * as operations from './operations.js'
import { type ContainerOption, Storage } from './storage.js'

/** Options of `createWebContainerFs`. */
export interface WebContainerFsOptions {
  /**
   * A container of `@webcontainer/api` (`await WebContainer.boot()`), a promise of one, or a function that boots one on the first call.
   * Closing the storage does not tear the container down.
   */
  readonly container: ContainerOption
  /** The workspace's folder in the container's working directory. Created if missing. Default: the working directory itself. */
  readonly root?: string
  /** The initial files: maps paths to text or bytes. If the workspace already contains something, these files are not written. */
  readonly files?: Files
}

export interface WebContainerFs extends FsAdapter {
  open(): Promise<void>
  rmTree(path: string): Promise<void>
  /**
   * Writes many files (path to text or bytes) and creates their directories, with a few messages to the container instead of two per file.
   * If a path is invalid, nothing is written. If the container itself fails, some files may have been written.
   *
   * @throws {FsError} EINVAL EEXIST (a duplicate path) EISDIR ENOTDIR ELOOP EIO
   */
  importFiles(files: Files): Promise<void>
}

/**
 * Creates a storage in a WebContainer that uses only the container's public methods. The storage and the container's processes see each
 * other's changes. The content is lost when the page closes.
 *
 * The container has no `stat`: each operation lists the directories on its path, and `lstat` reads a file to find its size. Times are
 * always 0, and there are no modes. Links that processes create are visible, and can be removed and moved, but not created or followed
 * (ELOOP). A version is a hash of the content with the number of the last write through this storage. The lock orders only calls of this
 * storage; docs/webcontainer.md explains what a process can do between these calls.
 *
 * @throws TypeError for invalid options
 */
export function createWebContainerFs(options: WebContainerFsOptions): WebContainerFs {
  const { container, root = '', files = {} } = { ...options }
  if ((typeof container !== 'object' && typeof container !== 'function') || container === null) {
    throw new TypeError('Cannot make a storage: pass "container", what WebContainer.boot() of @webcontainer/api gives')
  }
  const folder = checkedRoot(root)
  const storage = new Storage({ container, root: folder, files: copied('begin with', files) })
  const look = storage.look.bind(storage)
  const change = storage.change.bind(storage)
  const fs: WebContainerFs = {
    name: 'webcontainer',
    can: {
      mode: false,
      atomicReplace: false,
      dirRename: true,
      durableOnAck: true,
      caseSensitive: true,
      raceSafe: false,
      persistence: 'memory',
    },
    open: () => look({ op: 'open', path: '/' }, async () => undefined),
    lstat: (path) => look({ op: 'stat', path }, (store) => operations.lstat(store, path)),
    readdir: (path) => look({ op: 'list', path }, (store) => operations.readdir(store, path)),
    read: (path, options = {}) => look({ op: 'read', path }, (store) => operations.read(store, path, options)),
    write: async (path, bytes, { create = 'always' } = {}) => {
      const own = new Uint8Array(bytes)
      return change({ op: 'write', path }, (store) => operations.write(store, path, own, create))
    },
    mkdir: (path) => change({ op: 'make directory', path }, (store) => operations.mkdir(store, path)),
    unlink: (path) => change({ op: 'remove', path }, (store) => operations.unlink(store, path)),
    rmdir: (path) => change({ op: 'remove', path }, (store) => operations.rmdir(store, path)),
    rename: (from, to) => change({ op: 'move', path: from, dest: to }, (store) => operations.rename(store, from, to)),
    flush: () => look({ op: 'flush', path: '/' }, async () => undefined),
    close: () => storage.close(),
    rmTree: (path) => change({ op: 'remove', path }, (store) => operations.rmTree(store, path)),
    importFiles: async (files) => {
      const own = copied('import', files)
      return change({ op: 'import files into', path: '/' }, (store) => importFiles(store, own))
    },
  }
  setFolder(fs, { container: () => storage.booted(), root: folder })
  return fs
}

/** @throws {FsError} for invalid files */
function copied(op: string, files: Files): ReadonlyMap<string, Uint8Array> {
  try {
    return ownFiles(files)
  } catch (error) {
    throw toFsError(error, { op: `${op} files`, path: '/' })
  }
}

function checkedRoot(root: string): string {
  const names = root.split('/').filter((name) => name !== '' && name !== '.')
  if (root.startsWith('/') || names.includes('..') || root.includes('\0')) {
    throw new TypeError(
      `Cannot make a storage: the root "${root}" must be a folder in the container's working directory, such as "project"`,
    )
  }
  return names.join('/')
}
