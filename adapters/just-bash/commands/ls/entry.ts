import type { BashStat } from '../../../../src/workspace/facades/to-bash-fs.js'

export interface Entry {
  /** As it is shown. */
  readonly name: string
  readonly path: string
  readonly stat: BashStat
  /** Of a link. */
  readonly target: string | undefined
  /** What a link leads to, where there is that. */
  readonly followed: BashStat | undefined
  readonly links: number
}

/** `drwxr-xr-x` */
export function modeText(stat: BashStat): string {
  const kind = stat.isSymbolicLink ? 'l' : stat.isDirectory ? 'd' : '-'
  // A link has no mode of its own.
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

/** Blocks of 1 KiB that a file of 4 KiB blocks takes. */
export const blocksOf = ({ isDirectory, isSymbolicLink, size }: BashStat): number =>
  isDirectory ? 4 : isSymbolicLink ? 0 : Math.ceil(size / 4096) * 4

/** `1.5K`: rounded up, as coreutils do. */
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

/** There are none: a number that stays with the path. */
export function inodeOf(path: string): string {
  let value = 7
  for (let i = 0; i < path.length; i++) value = (Math.imul(value, 31) + path.charCodeAt(i)) >>> 0
  return String(value)
}
