import { CLIENT_NAME } from './client-script.js'

/** Returns the URL of the client script of a preview. */
export const clientUrl = (base: string): string => `${base}${CLIENT_NAME}`

/**
 * Matches the doctype and the opening tags of `html` and `head`. Also matches comments as a whole, so that tags within comments are
 * skipped.
 */
const OPENING = /<!--[\s\S]*?(?:-->|$)|<(head|html|!doctype)\b(?:[^<>"']|"[^"]*"|'[^']*')*>/gi

/**
 * Inserts a script where it runs before everything else in the page: first in `<head>`, else after `<html>` or the doctype. Adds no line,
 * so that line numbers in stacks stay correct.
 */
export function insertFirst(html: string, text: string): string {
  const ends = new Map<string, number>()
  for (const { 0: tag, 1: name, index } of html.matchAll(OPENING)) {
    if (name !== undefined && !ends.has(name.toLowerCase())) ends.set(name.toLowerCase(), index + tag.length)
    if (name?.toLowerCase() === 'head') break
  }
  const at = ends.get('head') ?? ends.get('html') ?? ends.get('!doctype') ?? 0
  return html.slice(0, at) + text + html.slice(at)
}

const ROOTED_ATTRIBUTE = /(\s(?:src|href|action|poster)\s*=\s*["']?)\/(?!\/)/gi

/** Prefixes root-relative URLs in tags: `/logo.svg` becomes `<base>logo.svg`. */
export function rebase(html: string, base: string): string {
  if (base === '/') return html
  return html.replace(/<!--[\s\S]*?(?:-->|$)|<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi, (tag) =>
    tag.startsWith('<!--') ? tag : tag.replace(ROOTED_ATTRIBUTE, (_, start: string) => start + base),
  )
}
