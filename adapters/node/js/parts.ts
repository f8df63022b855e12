import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { JsError } from '../../../src/errors/index.js'

/** The files of toolport that the child needs, as host paths. */
export interface Parts {
  /** The script that is loaded before the program. */
  readonly bootstrap: string
  /** Directories that the child reads. */
  readonly folders: readonly string[]
}

/** Finds the built files, even if a bundler has put this module into another program. @throws {JsError} unavailable */
export function findParts(): Parts {
  const entry = find()
  const folder = dirname(entry)
  return {
    bootstrap: join(folder, 'adapters-node-js-child-main.js'),
    // The folder of the package, two levels above dist/lib. Its package.json declares the module type.
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

/**
 * Returns two directories for each package: the one where it is found, which may be a symlink, and its outermost `node_modules`, which
 * contains its dependencies.
 */
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
