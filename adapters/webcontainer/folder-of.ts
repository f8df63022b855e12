import type { FsAdapter } from '../../src/types/fs.js'
import type { WebContainerLike } from './container-like.js'

/** The container of a storage, and the workspace's folder in the container. */
export interface ContainerFolder {
  /** Returns the storage's container. Boots the container if no earlier call has done so. */
  readonly container: () => Promise<WebContainerLike>
  /** The folder's path, relative to the container's working directory. Empty for the working directory itself. */
  readonly root: string
}

const FOLDERS = new WeakMap<FsAdapter, ContainerFolder>()

export function setFolder(fs: FsAdapter, folder: ContainerFolder): void {
  FOLDERS.set(fs, folder)
}

export const folderOf = (fs: FsAdapter): ContainerFolder | undefined => FOLDERS.get(fs)
