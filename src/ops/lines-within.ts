import { utf8Length } from './utf8.js'

/**
 * Returns as many of the first lines as fit into `maxBytes`, each with `extra` additional bytes (line number, separator). Returns at least
 * one line.
 */
export function linesWithin(lines: readonly string[], maxBytes: number, extra: number): readonly string[] {
  let units = 0
  for (const line of lines) units += line.length
  // A UTF-16 unit takes at most three bytes, so most texts need no exact count.
  if (units * 3 + lines.length * extra <= maxBytes) return lines
  let bytes = 0
  for (let i = 0; i < lines.length; i++) {
    bytes += utf8Length(lines[i] as string) + extra
    if (bytes > maxBytes && i > 0) return lines.slice(0, i)
  }
  return lines
}
