import type { Workspace } from 'toolport'
import type { ShellLook } from '../shell-look.js'
import { quoted } from './quoting.js'

/** The state of a terminal that matters for completion. */
export interface ShellPlace {
  readonly workspace: Workspace
  readonly look: ShellLook
  /** Working directory of the next command. */
  readonly cwd: string
}

export interface Entry {
  readonly name: string
  /** `link`: the target was not looked up. */
  readonly kind: 'dir' | 'file' | 'link'
}

export interface Names {
  readonly commands: readonly string[]
  readonly variables: readonly string[]
}

/** Sources of completions. A directory that does not exist has no entries. */
export interface Sources {
  names(): Promise<Names>
  /** Entries of a directory: an absolute path, or relative to the working directory. */
  entries(dir: string): Promise<readonly Entry[]>
  isDir(path: string): Promise<boolean>
  valueOf(variable: string): Promise<string>
}

/** Builtins, which are not files in `PATH`. The shell lists its keywords, but not its builtins. */
const BUILTINS =
  `. : [ alias bg break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit export
false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt
source suspend test times trap true type typeset ulimit umask unalias unset wait`.split(/\s+/)

/** Prints the commands, a separator and the variables. `set +eu -f` undoes options of the session that could end or change the listing. */
const NAMES = `set +eu -f
builtin compgen -k; builtin compgen -A alias; builtin compgen -A function
IFS=:; for folder in \${PATH-}; do command ls -1 -- "$folder" 2>/dev/null; done
builtin echo /
builtin compgen -v`

export function createSources(place: ShellPlace): Sources {
  const { workspace, look } = place
  let known: { readonly version: number; readonly names: Promise<Names> } | undefined

  async function readNames(): Promise<Names> {
    const [commands = '', variables = ''] = (await look.print(NAMES, place.cwd)).split('\n/\n')
    return {
      commands: sorted([...BUILTINS, ...commands.split('\n')]),
      // The shell stores its aliases in these variables.
      variables: sorted(variables.split('\n').filter((name) => !name.startsWith('BASH_ALIAS_'))),
    }
  }

  function resolve(path: string): string {
    const parts: string[] = []
    for (const part of (path.startsWith('/') ? path : `${place.cwd}/${path}`).split('/')) {
      if (part === '..') parts.pop()
      else if (part !== '' && part !== '.') parts.push(part)
    }
    return `/${parts.join('/')}`
  }

  /** The shell has directories of its own outside the workspace. */
  function isInWorkspace(path: string): boolean {
    return path === workspace.root || path.startsWith(`${workspace.root}/`)
  }

  async function list(path: string): Promise<readonly Entry[]> {
    if (isInWorkspace(path)) {
      return (await workspace.list(path)).map(({ name, kind }) => ({ name, kind: kind === 'symlink' ? 'link' : kind }))
    }
    const rows = (await look.print(`command ls -1Ap -- ${quoted(path)} 2>/dev/null`, place.cwd)).split('\n').slice(0, -1)
    return rows.map((row) => (row.endsWith('/') ? { name: row.slice(0, -1), kind: 'dir' } : { name: row, kind: 'file' }))
  }

  return {
    async names() {
      const { version } = look
      if (known?.version !== version) {
        const names = readNames()
        known = { version, names }
        // Retry after a failure.
        names.catch(() => {
          if (known?.names === names) known = undefined
        })
      }
      return known.names
    },
    entries: (dir) => list(resolve(dir)).catch(() => []),
    isDir: (path) =>
      workspace.stat(resolve(path)).then(
        ({ kind }) => kind === 'dir',
        () => false,
      ),
    valueOf: (variable) => look.print(`builtin printf %s "\${${variable}-}"`, place.cwd),
  }
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '').sort()
}
