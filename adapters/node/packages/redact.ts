import { homedir } from 'node:os'
import { join } from 'node:path'
import { readText } from './read-text.js'

/** Minimum length of a redacted value. Redacting shorter values would hide much of the text. */
const SHORTEST_SECRET = 4
const HIDDEN = '***'
const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', 'bunfig.toml']
const SECRET_KEY = /(?:_auth(?:token|ident)?|authtoken|authident|_password|password|token)["']?\s*[:=]\s*(.+)$/i

/** Names of variables, for example `NPM_TOKEN` and `npm_config__auth`. */
const SECRET_NAME = /token|password|passwd|secret|_auth|api_?key/i

export type Clean = (text: string) => string

export interface CleanOptions {
  /** Host path of the project. */
  readonly folder: string
  readonly hostRoot: string
  readonly env: Readonly<Record<string, string>>
  /** Virtual root of the workspace. */
  readonly root: string
}

/** Returns a function that redacts secrets (from settings, the environment and URLs) and host paths. */
export function cleaner({ folder, hostRoot, root, env }: CleanOptions): Clean {
  const home = env.HOME ?? homedir()
  const secrets = [folder, hostRoot, home].flatMap((at) => SETTINGS.flatMap((file) => secretsIn(join(at, file), env)))
  const given = Object.entries(env).flatMap(([name, value]) => (SECRET_NAME.test(name) && value.length >= SHORTEST_SECRET ? [value] : []))
  const hidden = [...new Set([...secrets, ...given])].sort((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const secret of hidden) clean = clean.replaceAll(secret, HIDDEN)
    clean = clean
      // Search up to the last @, because a password may contain one.
      .replaceAll(/(\/\/)[^\s/]+@/g, `$1${HIDDEN}@`)
      .replaceAll(/((?:_auth(?:Token)?|_password|Bearer|Basic)["']?[\s:=]+["']?)[^\s"']+/gi, `$1${HIDDEN}`)
    // The workspace may be in the home directory, and its virtual root may equal its host path. So first replace the host path with a mark.
    if (hostRoot !== '/') clean = clean.replaceAll(hostRoot, '\0')
    if (home !== '/' && home !== '') clean = clean.replaceAll(home, '~')
    return clean.replaceAll('\0', root)
  }
}

function secretsIn(file: string, env: CleanOptions['env']): string[] {
  return (
    readText(file)
      .split('\n')
      .flatMap((line) => SECRET_KEY.exec(line.trim())?.[1] ?? [])
      // Other text may follow a quoted value: `{ token = "..." }`.
      .map((value) => /^\s*(["'])(.+?)\1/.exec(value)?.[2] ?? value.trim().replaceAll(/^["']|["'],?$/g, ''))
      .map((value) => value.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => env[name.replace(/[-?:].*$/, '')] ?? ''))
      .filter((value) => value.length >= SHORTEST_SECRET)
  )
}

/** Maximum number of characters to hold back. Longer lines are passed on in pieces. */
const LONGEST_LINE = 64 * 1024

/** Splits a stream into whole lines, because a secret may be cut at the end of a chunk. */
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
