import type { ArchiveEntry } from '../../../../src/ops/archive/entry.js'

const KIND = { file: '-', dir: 'd', symlink: 'l' } as const
const STANDARD = { file: 0o644, dir: 0o755, symlink: 0o777 } as const
/** Width of the owner and the size together. */
const WIDTH = 19
const OWNER = 'root/root'

/** Returns the name of a member. A directory gets exactly one slash at the end. */
export function nameOf({ path, name = path, kind }: Pick<ArchiveEntry, 'path' | 'name' | 'kind'>): string {
  return kind === 'dir' ? `${name.replace(/\/+$/, '')}/` : name
}

/** Formats a line of `tar -tv`, in UTC. */
export function listLine(entry: ArchiveEntry): string {
  const { kind, size, mtimeMs = 0, target } = entry
  const date = new Date(mtimeMs).toISOString()
  const mode = `${KIND[kind]}${letters(entry.mode ?? STANDARD[kind])}`
  const owned = `${OWNER}${String(size).padStart(WIDTH - OWNER.length)}`
  return `${mode} ${owned} ${date.slice(0, 10)} ${date.slice(11, 16)} ${nameOf(entry)}${target === undefined ? '' : ` -> ${target}`}`
}

function letters(mode: number): string {
  return Array.from({ length: 9 }, (_, at) => (mode & (0o400 >> at) ? 'rwx'[at % 3] : '-')).join('')
}
