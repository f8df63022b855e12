import type { FsAdapter } from '../../src/types/fs.js'
import type { WebContainerLike } from './container-like.js'

/** Where a storage of ours has its workspace. */
export interface ContainerFolder {
  /** The one that the storage opens. Boots it, where that is left to the first call. */
  readonly container: () => Promise<WebContainerLike>
  /** Relative to the working directory; empty for that itself. */
  readonly root: string
}

const FOLDERS = new WeakMap<FsAdapter, ContainerFolder>()

export function setFolder(fs: FsAdapter, folder: ContainerFolder): void {
  FOLDERS.set(fs, folder)
}

export const folderOf = (fs: FsAdapter): ContainerFolder | undefined => FOLDERS.get(fs)
