import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createWorkspace, type Workspace } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { INSIDE_FILES, OUTSIDE_FILES } from './path-attacks.js'

export interface NodeArena {
  /** `<outer>/workspace`. */
  readonly root: string
  /** Contains the root, and files that nobody may read. */
  readonly outer: string
  readonly workspace: Workspace
  /** Everything in `outer` except the workspace: path -> kind, mode, time and content. */
  outside(): Record<string, string>
  /** Everything in the workspace: path -> kind, mode, time and content. */
  inside(): Record<string, string>
  /** Restores the initial state of the workspace. */
  reset(): void
  plant(links: Readonly<Record<string, string>>): void
  remove(): void
}

/** A real directory with real siblings. `virtual`: the workspace's root is `/srv/workspace` instead of the real path. */
export function createNodeArena(virtual = false): NodeArena {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'arena-')))
  const root = join(outer, 'workspace')
  mkdirSync(root)
  writeAll(outer, OUTSIDE_FILES)
  writeAll(root, INSIDE_FILES)
  const workspace = createWorkspace({ fs: createNodeFs({ root }), ...(virtual && { root: '/srv/workspace' }) })
  return {
    root,
    outer,
    workspace,
    outside: () => snapshot(outer, (path) => path !== root),
    inside: () => snapshot(root, () => true),
    reset() {
      for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true })
      writeAll(root, INSIDE_FILES)
    },
    plant(links) {
      for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path))
    },
    remove: () => rmSync(outer, { recursive: true, force: true }),
  }
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function snapshot(folder: string, wanted: (path: string) => boolean): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (path: string): void => {
    const stat = lstatSync(path)
    const content = stat.isFile() ? readFileSync(path, 'base64') : stat.isSymbolicLink() ? readlinkSync(path) : ''
    // Skips the time of the top directory. All other times would reveal a file that was created and removed again.
    found[path] = `${stat.mode} ${path === folder ? '' : stat.mtimeMs} ${content}`
    if (stat.isDirectory()) for (const name of readdirSync(path)) if (wanted(join(path, name))) visit(join(path, name))
  }
  visit(folder)
  return found
}
