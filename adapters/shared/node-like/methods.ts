import type { FsAdapter } from '../../../src/types/fs.js'
import type { Where } from '../fault.js'
import * as contents from './contents.js'
import * as entries from './entries.js'
import type { Files } from './files.js'
import { rename } from './rename.js'

/** Runs the adapter's calls on the files. Both methods reject only with `FsError`. */
export interface FilesAccess {
  /** Runs a call that only reads, at the same time as other reads. */
  look<T>(where: Where, work: (files: Files) => Promise<T>): Promise<T>
  /** Runs a call that changes something, alone. `bytes`: number of bytes of the content that the call writes. */
  change(where: Where, work: (files: Files) => Promise<void>, bytes?: number): Promise<void>
}

export type NodeLikeMethods = Pick<FsAdapter, 'lstat' | 'readdir' | 'read' | 'write' | 'mkdir' | 'unlink' | 'rmdir' | 'rename'> &
  Required<Pick<FsAdapter, 'readlink' | 'symlink' | 'append' | 'copy' | 'rmTree' | 'setMeta'>>

/** Returns the adapter methods over a library that has the methods of Node's `fs`. All checks happen here, not in the library. */
export function nodeLikeMethods({ look, change }: FilesAccess): NodeLikeMethods {
  return {
    lstat: (path) => look({ op: 'stat', path }, (files) => entries.lstat(files, path)),
    readdir: (path) => look({ op: 'list', path }, (files) => entries.readdir(files, path)),
    read: (path, range = {}) => look({ op: 'read', path }, (files) => contents.read(files, path, range)),
    write: async (path, bytes, { create = 'always' } = {}) => {
      const own = new Uint8Array(bytes)
      return change({ op: 'write', path }, (files) => contents.write(files, path, own, create), own.length)
    },
    mkdir: (path) => change({ op: 'make directory', path }, (files) => entries.mkdir(files, path)),
    unlink: (path) => change({ op: 'remove', path }, (files) => entries.unlink(files, path)),
    rmdir: (path) => change({ op: 'remove', path }, (files) => entries.rmdir(files, path)),
    rename: (from, to) => change({ op: 'move', path: from, dest: to }, (files) => rename(files, from, to)),
    readlink: (path) => look({ op: 'read link', path }, (files) => entries.readlink(files, path)),
    symlink: (target, path) => change({ op: 'link', path }, (files) => entries.symlink(files, target, path)),
    append: async (path, bytes) => {
      const own = new Uint8Array(bytes)
      return change({ op: 'append to', path }, (files) => contents.append(files, path, own), own.length)
    },
    copy: (from, to) => change({ op: 'copy', path: from, dest: to }, (files) => contents.copy(files, from, to)),
    rmTree: (path) => change({ op: 'remove', path }, (files) => entries.rmTree(files, path)),
    setMeta: async (path, meta) => {
      const own = { ...meta }
      return change({ op: 'change', path }, (files) => entries.setMeta(files, path, own))
    },
  }
}
