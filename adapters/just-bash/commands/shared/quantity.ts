const POWERS = 'KMGTPEZY'

/**
 * Parses a size like coreutils: `10`, `4K` (1024), `4KB` (1000), `4KiB`, `2b` (512), `3c`, `5w`. Returns undefined for an invalid size, and
 * infinity above 2^53.
 */
export function quantity(text: string): number | undefined {
  const found = /^(\d+)(?:([cwb])|([kKMGTPEZY])(iB|B|D)?|B)?$/.exec(text)
  if (!found) return undefined
  const [, digits, unit, power, base] = found
  const count = Number(digits)
  const factor = power ? (base === 'B' || base === 'D' ? 1000 : 1024) ** (POWERS.indexOf(power.toUpperCase()) + 1) : unitOf(unit)
  const value = count * factor
  return Number.isSafeInteger(value) ? value : Number.POSITIVE_INFINITY
}

const unitOf = (unit: string | undefined): number => (unit === 'b' ? 512 : unit === 'w' ? 2 : 1)
