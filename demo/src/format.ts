const count = new Intl.NumberFormat('en')

export function formatCount(value: number): string {
  return count.format(value)
}

/** `1 file`, `1,204 files`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count.format(value)} ${value === 1 ? one : many}`
}

/** Bytes with a unit: `0 B`, `18.2 KiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kib = bytes / 1024
  if (kib < 1024) return `${kib.toFixed(kib < 100 ? 1 : 0)} KiB`
  return `${(kib / 1024).toFixed(1)} MiB`
}

/** Milliseconds with a unit: `0.8 ms`, `12 ms`, `3.4 s`. */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  return `${(ms / 1000).toFixed(1)} s`
}
