/** Converts an `fnmatch` glob, in which `*` and `?` also match slashes, to an anchored regular expression. */
export function globRegex(glob: string, ignoreCase = false): RegExp {
  let source = ''
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] as string
    if (char === '*') source += '[^]*'
    else if (char === '?') source += '[^]'
    else if (char === '[') {
      const set = /^\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]])*\]/.exec(glob.slice(at))?.[0]
      source += set ? setSource(set) : '\\['
      at += (set?.length ?? 1) - 1
    } else if (char === '\\' && at + 1 < glob.length) source += quoted(glob[++at] as string)
    else source += quoted(char)
  }
  return new RegExp(`^${source.replace(/(?:\[\^\]\*){2,}/g, '[^]*')}$`, ignoreCase ? 'i' : '')
}

const quoted = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')

const NAMES: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
}

function setSource(set: string): string {
  const negated = set[1] === '!' || set[1] === '^'
  const members = set.slice(negated ? 2 : 1, -1)
  const body = members.replace(/\[:([a-z]+):\]|[\\\][^]/g, (found, name?: string) => (name ? (NAMES[name] ?? '') : `\\${found}`))
  return `[${negated ? '^' : ''}${body}]`
}
