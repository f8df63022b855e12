import type { ModuleFault } from './types.js'

const SHOWN = 160

/** Creates the error for text that does not parse, with the place and its source line. `offset` is in UTF-16 units. */
export function syntaxFault(path: string, code: string, offset: number, why: string): ModuleFault {
  const at = Math.min(Math.max(offset, 0), code.length)
  const start = code.lastIndexOf('\n', at - 1) + 1
  const end = code.indexOf('\n', start)
  const line = code.slice(0, start).split('\n').length
  const text = code.slice(start, end < 0 ? code.length : end).replace(/\r$/, '')
  // Show only the part of a long line around the error.
  const from = text.length > SHOWN ? Math.max(0, at - start - SHOWN / 2) : 0
  const shown = text.slice(from, from + SHOWN)
  const marker = `${shown.slice(0, at - start - from).replaceAll(/[^\t]/g, ' ')}^`
  return { code: 'ERR_SYNTAX', message: `${why}\n    at ${path}:${line}:${at - start + 1}\n${shown}\n${marker}` }
}
