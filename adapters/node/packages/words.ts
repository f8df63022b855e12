import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Shorter ones would hide half of a text. */
const SHORTEST_SECRET = 4
const HIDDEN = '***'
const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', 'bunfig.toml']
const SECRET_KEY = /(?:_auth(?:token|ident)?|authtoken|authident|_password|password|token)["']?\s*[:=]\s*(.+)$/i

export type Clean = (text: string) => string

export interface CleanOptions {
  /** Of this machine: the project, and the workspace. */
  readonly folder: string
  readonly hostRoot: string
  readonly env: Readonly<Record<string, string>>
  /** Of the workspace. */
  readonly root: string
}

/** Takes out of a line what is nobody's business: secrets of the settings and of addresses, and where things are on this machine. */
export function cleaner({ folder, hostRoot, root, env }: CleanOptions): Clean {
  const home = env.HOME ?? homedir()
  const secrets = [folder, hostRoot, home].flatMap((at) => SETTINGS.flatMap((file) => secretsIn(join(at, file), env)))
  const hidden = [...new Set(secrets)].sort((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const secret of hidden) clean = clean.replaceAll(secret, HIDDEN)
    clean = clean
      .replaceAll(/(\/\/)[^\s/@]+@/g, `$1${HIDDEN}@`)
      .replaceAll(/((?:_auth(?:Token)?|_password|Bearer|Basic)["']?[\s:=]+["']?)[^\s"']+/gi, `$1${HIDDEN}`)
    // The workspace may be in the home directory, and have the machine's own name for its root.
    if (hostRoot !== '/') clean = clean.replaceAll(hostRoot, '\0')
    if (home !== '/' && home !== '') clean = clean.replaceAll(home, '~')
    return clean.replaceAll('\0', root)
  }
}

function secretsIn(file: string, env: CleanOptions['env']): string[] {
  return read(file)
    .split('\n')
    .flatMap((line) => SECRET_KEY.exec(line.trim())?.[1] ?? [])
    .map((value) => value.trim().replaceAll(/^["']|["'],?$/g, ''))
    .map((value) => value.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => env[name.replace(/[-?:].*$/, '')] ?? ''))
    .filter((value) => value.length >= SHORTEST_SECRET)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // There are none.
    return ''
  }
}

/** Longer lines are told in pieces. */
const LONGEST_LINE = 64 * 1024

/** Whole lines of a stream: what is looked for in them may come in pieces. */
export function wholeLines(onLines: (text: string) => void): { push(text: string): void; end(): void } {
  let rest = ''
  return {
    push(text) {
      const all = rest + text
      const end = all.length > LONGEST_LINE ? all.length : all.lastIndexOf('\n') + 1
      rest = all.slice(end)
      if (end > 0) onLines(all.slice(0, end))
    },
    end() {
      if (rest !== '') onLines(rest)
      rest = ''
    },
  }
}
