/** Not the command's: shells set these for each program they start. */
const OF_THE_SHELL = new Set(['_', 'SHLVL'])

export interface Report {
  /** Path on this machine. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** What the shell said about its end: `cwd LF NUL (name=value NUL)* NUL`. Without `cwd LF` where it is nowhere: its directory is gone. */
export function parseReport(bytes: Buffer): Report {
  const text = bytes.toString('utf8')
  const end = text.indexOf('\0\0')
  const [where = '', ...records] = text.slice(0, end < 0 ? undefined : end).split('\0')
  const cwd = where.startsWith('/') && where.endsWith('\n') ? where.slice(0, -1) : undefined
  // Without its end, a list of variables may be half of one.
  return { ...(cwd !== undefined && { cwd }), ...(end >= 0 && { env: Object.fromEntries(records.flatMap(variable)) }) }
}

function variable(record: string): [string, string][] {
  const at = record.indexOf('=')
  const name = record.slice(0, at)
  return at <= 0 || OF_THE_SHELL.has(name) ? [] : [[name, record.slice(at + 1)]]
}
