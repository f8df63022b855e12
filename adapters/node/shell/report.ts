import type { StateReport } from './state.js'

/** Not the command's: shells set these for each program they start. */
const OF_THE_SHELL = new Set(['_', 'SHLVL'])

export interface Report {
  /** Path on this machine. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** bash only. */
  readonly state?: StateReport
}

/**
 * What the shell said about its end: `cwd LF NUL (name=value NUL)* =NUL part* NUL`. Without `cwd LF` where it is nowhere: its directory is
 * gone. A variable without a name is a mark: `=` alone stands behind the last one, `=` and a letter before a part of the state (`script.ts`).
 */
export function parseReport(bytes: Buffer): Report {
  const text = bytes.toString('utf8')
  const end = text.indexOf('\0\0')
  const [where = '', ...records] = text.slice(0, end < 0 ? undefined : end).split('\0')
  const cwd = where.startsWith('/') && where.endsWith('\n') ? where.slice(0, -1) : undefined
  // Without its end, a list of variables may be half of one; and so may the state.
  const last = records.indexOf('=')
  return {
    ...(cwd !== undefined && { cwd }),
    ...(last >= 0 && { env: Object.fromEntries(records.slice(0, last).flatMap(variable)) }),
    ...(end >= 0 && records.some((record) => record.startsWith('=v')) && { state: stateReport(records) }),
  }
}

function variable(record: string): [string, string][] {
  const at = record.indexOf('=')
  const name = record.slice(0, at)
  return at <= 0 || OF_THE_SHELL.has(name) ? [] : [[name, record.slice(at + 1)]]
}

function stateReport(records: readonly string[]): StateReport {
  const parts = (letter: string): string[] => records.filter((record) => record.startsWith(`=${letter}`)).map((record) => record.slice(2))
  const [options = ''] = parts('o')
  const [depth = ''] = parts('d')
  const [locals = ''] = parts('l')
  const [variables = ''] = parts('v')
  return { options, depth: Number(depth), locals, variables, functions: parts('f').map((text) => text.replace(/\n$/, '')) }
}
