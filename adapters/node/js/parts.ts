import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { JsError } from '../../../src/errors/index.js'

/** What the child needs of toolport. Paths of the machine. */
export interface Parts {
  /** The script that is loaded before the program. */
  readonly bootstrap: string
  /** Directories that it reads. */
  readonly folders: readonly string[]
}

/** Finds the built files also where this one was bundled into something else. @throws {JsError} unavailable */
export function findParts(): Parts {
  const entry = find()
  const folder = dirname(entry)
  return {
    bootstrap: join(folder, 'adapters-node-js-child-main.js'),
    // The package's own, from dist/lib: its package.json says what its files are.
    folders: [dirname(dirname(folder)), ...dependencies(entry)],
  }
}

function find(): string {
  try {
    return realpathSync(createRequire(import.meta.url).resolve('toolport/adapters/node'))
  } catch (cause) {
    throw new JsError('unavailable', 'Cannot run JavaScript: the package "toolport" is not installed where this program runs', { cause })
  }
}

/** Each by the name it is found under, which may be a link, and its outermost `node_modules`: what it needs in turn may lie anywhere in it. */
function dependencies(entry: string): string[] {
  const require = createRequire(entry)
  return ['es-module-lexer', 'sucrase'].flatMap((name) => {
    try {
      const path = realpathSync(require.resolve(name))
      const at = path.indexOf(`${sep}node_modules${sep}`)
      const names = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name))
      return [...names.filter(existsSync).slice(0, 1), at < 0 ? dirname(path) : path.slice(0, at + `${sep}node_modules`.length)]
    } catch {
      return []
    }
  })
}
