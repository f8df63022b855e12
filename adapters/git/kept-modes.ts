/**
 * Modes of symlinks and executable files on storages that cannot keep them. On such a storage, a symlink is a file that contains its
 * target, and an executable file is a regular file. As with native git on such a disk, the index of git keeps the modes.
 */
export interface KeptModes {
  /** Returns the git mode of a file (virtual path) if it differs from the storage's mode. */
  get(path: string): number | undefined
  set(path: string, mode: number): void
}

export interface Keeping {
  readonly links: boolean
  readonly modes: boolean
}

const LINK = 0o120000
const EXECUTABLE = 0o100755

/** Stores modes in memory if the storage does not keep them. `keeps`: which modes the storage keeps itself. */
export function keptModes(keeps: Keeping): KeptModes {
  const modes = new Map<string, number>()
  return {
    get: (path) => modes.get(path),
    set: (path, mode) => {
      if ((mode === LINK && !keeps.links) || (mode === EXECUTABLE && !keeps.modes)) modes.set(path, mode)
      else modes.delete(path)
    },
  }
}
