const SAFE = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * A name that every provider takes (`^[a-zA-Z0-9_-]{1,64}$`). A safe name is its own alias. Others get a hash of the whole name behind
 * them, so that an alias depends on nothing but its name and stays the same when tools come and go; `attempt` counts collisions.
 */
export function toolAlias(name: string, attempt = 0): string {
  if (SAFE.test(name) && attempt === 0) return name
  return `${name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 57)}_${hash(attempt === 0 ? name : `${name} ${attempt}`)}`
}

/** FNV-1a, cut to 24 bits: six hex digits. Names are ASCII. */
function hash(text: string): string {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return ((state >>> 0) & 0xffffff).toString(16).padStart(6, '0')
}
