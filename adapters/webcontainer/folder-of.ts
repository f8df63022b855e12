import type { FsAdapter } from '../../src/types/fs.js'
import type { WebContainerLike } from './container-like.js'

/** The container and folder of a storage. */
export interface ContainerFolder {
  /** The storage's container. Boots it if no call has done so yet. */
  readonly container: () => Promise<WebContainerLike>
  /** Relative to the working directory; empty for the working directory itself. */
  readonly root: string
}

const FOLDERS = new WeakMap<FsAdapter, ContainerFolder>()

export function setFolder(fs: FsAdapter, folder: ContainerFolder): void {
  FOLDERS.set(fs, folder)
}

export const folderOf = (fs: FsAdapter): ContainerFolder | undefined => FOLDERS.get(fs)
