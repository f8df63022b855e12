/** A command line with its redirected input and errors. */
export interface JshLine {
  readonly script: string
  readonly stdin?: string
  readonly stderr?: string
}

const WORD = /\s*(2>|[<>|&;\n]|(?:'[^']*'|\\.|[^\s'"\\<>|&;$`(){}]+)+)/y

/** Parses a line that is one `jsh -c word` with redirections. Any other line is a script for the shell. */
export function parseJsh(script: string): JshLine {
  const words = wordsOf(script)
  const [jsh, flag, inner, ...rest] = words ?? []
  if (jsh !== 'jsh' || flag !== '-c' || inner === undefined || rest.length % 2 !== 0) return { script }
  const files: Record<string, string> = {}
  for (let i = 0; i < rest.length; i += 2) files[rest[i] as string] = rest[i + 1] as string
  if (Object.keys(files).some((operator) => operator !== '<' && operator !== '2>')) return { script }
  const { '<': stdin, '2>': stderr } = files
  return { script: inner, ...(stdin !== undefined && { stdin }), ...(stderr !== undefined && { stderr }) }
}

function wordsOf(script: string): string[] | undefined {
  const words: string[] = []
  for (let at = 0; script.slice(at).trim() !== ''; at = WORD.lastIndex) {
    WORD.lastIndex = at
    const word = WORD.exec(script)?.[1]
    if (word === undefined) return undefined
    words.push(word.replace(/'([^']*)'|\\(.)/gs, (_, quoted: string | undefined, escaped = '') => quoted ?? escaped))
  }
  return words
}
