/**
 * The modes of links and executable files on storages that cannot keep them: there a link is a file with its target in it, and an
 * executable file is like any other. Git's index is what remembers, as with native git on such a disk.
 */
export interface KeptModes {
  /** The mode of a file (virtual path), where it is another than the storage says. */
  get(path: string): number | undefined
  set(path: string, mode: number): void
}

export interface Keeping {
  readonly links: boolean
  readonly modes: boolean
}

const LINK = 0o120000
const EXECUTABLE = 0o100755

/** `keeps` is what the storage does by itself. */
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
