import type { BashStat } from '../../../../src/workspace/facades/to-bash-fs.js'

export interface Entry {
  /** The displayed name. */
  readonly name: string
  readonly path: string
  readonly stat: BashStat
  /** The target of a symlink. */
  readonly target: string | undefined
  /** The stat of a symlink's target, if it exists. */
  readonly followed: BashStat | undefined
  readonly links: number
}

/** Formats the mode as `drwxr-xr-x`. */
export function modeText(stat: BashStat): string {
  const kind = stat.isSymbolicLink ? 'l' : stat.isDirectory ? 'd' : '-'
  // Symlinks have no mode of their own. Linux shows 777.
  const mode = stat.isSymbolicLink ? 0o777 : stat.mode
  const bits = [6, 3, 0].map((at) => ((mode >> at) & 4 ? 'r' : '-') + ((mode >> at) & 2 ? 'w' : '-') + ((mode >> at) & 1 ? 'x' : '-'))
  const special = (text: string, set: boolean, char: string): string =>
    set ? text.slice(0, 2) + (text[2] === 'x' ? char : char.toUpperCase()) : text
  const [user = '', group = '', others = ''] = bits
  return (
    kind +
    special(user, (mode & 0o4000) !== 0, 's') +
    special(group, (mode & 0o2000) !== 0, 's') +
    special(others, (mode & 0o1000) !== 0, 't')
  )
}

/** Returns the disk usage in KiB, as on a file system with 4 KiB blocks. */
export const blocksOf = ({ isDirectory, isSymbolicLink, size }: BashStat): number =>
  isDirectory ? 4 : isSymbolicLink ? 0 : Math.ceil(size / 4096) * 4

/** Formats a size as `1.5K`, rounded up like GNU coreutils. */
export function humanSize(size: number, base = 1024): string {
  if (size < base) return String(size)
  const units = base === 1000 ? 'kMGTPEZY' : 'KMGTPEZY'
  let value = size
  let power = -1
  while (value >= base && power < units.length - 1) {
    value /= base
    power++
  }
  const tenths = Math.ceil(value * 10 - 1e-9) / 10
  if (tenths < 10) return `${tenths.toFixed(1)}${units[power]}`
  const whole = Math.ceil(value - 1e-9)
  return whole >= base ? `1.0${units[power + 1]}` : `${whole}${units[power]}`
}

/** Returns a stable number for a path, because the workspace has no inodes. */
export function inodeOf(path: string): string {
  let value = 7
  for (let i = 0; i < path.length; i++) value = (Math.imul(value, 31) + path.charCodeAt(i)) >>> 0
  return String(value)
}
