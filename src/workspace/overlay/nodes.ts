import type { FsStat } from '../../types/fs.js'
import { joinPath } from '../paths.js'

const FILE_MODE = 0o644
const DIR_MODE = 0o755
const LINK_MODE = 0o777

const encoder = new TextEncoder()

/** A file with its own content. */
export class OwnFile {
  readonly kind = 'file'
  /** Path of the file in the lower storage that this file replaces. Undefined: a new file. */
  base: string | undefined
  mode: number
  mtimeMs: number
  version: string
  /** The buffer. Its first `size` bytes are the content, which never changes in place. The rest is room for appending. */
  bytes: Uint8Array
  size: number

  constructor(bytes: Uint8Array, meta: { readonly mode?: number; readonly mtimeMs: number; readonly version: string }) {
    this.bytes = bytes
    this.size = bytes.length
    this.mode = meta.mode ?? FILE_MODE
    this.mtimeMs = meta.mtimeMs
    this.version = meta.version
  }

  content(): Uint8Array {
    return this.bytes.subarray(0, this.size)
  }
}

/** A file of the lower storage that was moved in the overlay. */
export class MovedFile {
  readonly kind = 'moved'
  /** Path of the file in the lower storage. */
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }
}

export class Link {
  readonly kind = 'symlink'
  readonly target: string
  readonly size: number
  readonly mode: number
  readonly mtimeMs: number

  constructor(target: string, mtimeMs: number) {
    this.target = target
    this.size = encoder.encode(target).length
    this.mode = LINK_MODE
    this.mtimeMs = mtimeMs
  }
}

/** Marks an entry of the lower storage as removed. */
export class Gone {
  readonly kind = 'gone'
}

export const GONE: Gone = new Gone()

export type Node = OwnFile | MovedFile | Link | Dir

export interface Child {
  readonly name: string
  readonly node: Node | Gone
}

export class Dir {
  readonly kind = 'dir'
  /**
   * Path of the lower storage's directory that shows through. Undefined: nothing shows through (opaque). If this path differs from the
   * node's own path, the directory was moved.
   */
  readonly origin: string | undefined
  /** Entries that differ from the lower storage. The key is `keyOf(name)`. */
  readonly children: Map<string, Child> = new Map()
  /** The mode that was set in the overlay. Undefined: the mode of `origin` applies. */
  mode: number | undefined
  mtimeMs: number | undefined

  private constructor(origin: string | undefined, mode: number | undefined, mtimeMs: number | undefined) {
    this.origin = origin
    this.mode = mode
    this.mtimeMs = mtimeMs
  }

  static made(now: number): Dir {
    return new Dir(undefined, DIR_MODE, now)
  }

  static over(origin: string): Dir {
    return new Dir(origin, undefined, undefined)
  }

  get isBare(): boolean {
    return this.children.size === 0 && this.mode === undefined && this.mtimeMs === undefined
  }

  /** Whether the directory contains an entry that differs from that entry's origin. */
  get hasVisible(): boolean {
    for (const { name, node } of this.children.values()) {
      if (node.kind === 'gone') continue
      const onlyLookedInto = node.kind === 'dir' && this.origin !== undefined && node.origin === joinPath(this.origin, name)
      if (!onlyLookedInto || node.hasVisible) return true
    }
    return false
  }

  /** Returns the stat of the directory. Own values take precedence over those of `below`, the directory in the lower storage. */
  stat(below: FsStat | undefined): Required<Pick<FsStat, 'kind' | 'size' | 'mtimeMs' | 'mode'>> {
    return { kind: 'dir', size: 0, mtimeMs: this.mtimeMs ?? below?.mtimeMs ?? 0, mode: this.mode ?? below?.mode ?? DIR_MODE }
  }
}
