/** Number of skipped entries, by reason. A reason without a count is absent. */
export type Skipped = Readonly<Partial<Record<Reason, number>>>

/**
 * Why entries were skipped. `names`: no path in the workspace can contain the name. `special`: FIFOs, sockets and devices. The last five
 * reasons are exclusions by the rules of the call.
 */
export type Reason =
  | 'binary'
  | 'too_large'
  | 'unreadable'
  | 'long_lines'
  | 'long_matches'
  | 'names'
  | 'special'
  | 'hidden'
  | 'ignored'
  | 'links'
  | 'other_links'
  | 'dirs'

const WORDS: Readonly<Record<Reason, string>> = {
  binary: 'binary',
  too_large: 'too large',
  unreadable: 'unreadable',
  long_lines: 'long lines',
  long_matches: 'with possible matches over the length limit (make the pattern span fewer lines, as in (?:.*\\n){0,30})',
  names: 'with names that are not valid paths',
  special: 'FIFOs, sockets or devices',
  hidden: 'hidden (set hidden to true)',
  ignored: 'ignored (set ignore to false)',
  dirs: 'directories (add "/**" to match their content)',
  links: 'symbolic links, not followed (pass one as path)',
  other_links: 'symbolic links that are broken, leave the workspace or point to a parent directory',
}

/** Returns the field `skipped` of a result; no field if nothing was skipped. */
export function skippedOf(counts: Skipped): { readonly skipped?: Skipped } {
  const found = Object.entries(counts).filter(([, count]) => count > 0)
  return found.length > 0 ? { skipped: Object.fromEntries(found) } : {}
}

/** Renders the skipped counts as a line below a result. */
export function skippedNote(label: string, skipped: Skipped | undefined, words: Partial<Record<Reason, string>> = {}): string {
  const parts = Object.entries(skipped ?? {}).map(([why, count]) => `${count} ${words[why as Reason] ?? WORDS[why as Reason]}`)
  return parts.length === 0 ? '' : `\n[${label}: ${parts.join(', ')}]`
}

/** Renders the skipped counts as a line below a list of entries. */
export const notListed = (skipped: Skipped | undefined): string =>
  skippedNote('Not listed', skipped, { unreadable: 'unreadable directories', other_links: 'symbolic links (set kind to "symlink")' })
