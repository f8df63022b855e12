import { createWorkspace, type FsAdapter, type ShellAdapter, type WorkspaceOptions } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs, type MemoryFs } from 'toolport/adapters/memory'
import { type Fault, type Faults, withFaults } from 'toolport/testing'
import { expect } from 'vitest'
import { FAULT_FILES, type FaultCase } from './just-bash-faults-cases.js'

/** An error in each single call that changes something, and a disk that is full from that call on. */
export const WRITE_FAULTS: readonly Pick<Fault, 'fault' | 'when'>[] = [{ fault: 'EIO', when: ({ changes }) => changes }, { fault: 'full' }]

/** Path -> a file's content with one character per byte, a symlink's target, or `dir`. */
export async function treeOf(fs: FsAdapter, folder = '/'): Promise<Record<string, string>> {
  const tree: Record<string, string> = {}
  for (const { name, kind } of await fs.readdir(folder)) {
    const path = folder === '/' ? `/${name}` : `${folder}/${name}`
    if (kind === 'dir') Object.assign(tree, { [path]: 'dir' }, await treeOf(fs, path))
    else if (kind === 'symlink') tree[path] = `-> ${await fs.readlink?.(path)}`
    else tree[path] = Array.from(await fs.read(path), (byte) => String.fromCharCode(byte)).join('')
  }
  return tree
}

export const now = (): number => 1_700_000_000_000

export type Tree = Readonly<Record<string, string>>

export interface Place {
  readonly files: MemoryFs
  readonly shell: ShellAdapter
  /** Opens a shell on the same storages. */
  open(options?: Partial<WorkspaceOptions>, fs?: FsAdapter): ShellAdapter
  tree(): Promise<Tree>
}

/** A workspace with a mount. The faults affect both storages. */
export function place(faults: Faults | readonly Fault[] = []): Place {
  const files = createMemoryFs({ files: FAULT_FILES, now })
  const mounted = createMemoryFs({ files: { m: 'm\n' }, now })
  const scratch = createMemoryFs({ now })
  const open: Place['open'] = (options = {}, fs = withFaults(files, faults)) => {
    const workspace = createWorkspace({ fs, mounts: { mounted: withFaults(mounted, faults) }, ...options })
    return createJustBashShell({ scratch: withFaults(scratch, faults) })(workspace)
  }
  const tree = async (): Promise<Tree> => {
    const [own, beside, hidden] = await Promise.all([treeOf(files), treeOf(mounted), treeOf(scratch)])
    const named = (prefix: string, part: Tree): [string, string][] =>
      Object.entries(part).map(([path, content]) => [prefix + path, content])
    return Object.fromEntries([...named('', own), ...named('/mounted', beside), ...named('scratch:', hidden)])
  }
  return { files, shell: open(), open, tree }
}

/** Creates the private directories first, so that faults occur later. */
export const prepare = 'ls /tmp; '

/** The tree after the script without faults. */
export async function treeAfter({ first = '', script }: FaultCase): Promise<Tree> {
  const { shell, tree } = place()
  expect((await shell.exec(prepare + first)).stderr).toBe('')
  await shell.exec(script)
  return tree()
}

/** Describes the damage in the tree that an interrupted script has left. Empty if there is none. */
export function damage({ opens = [], several }: FaultCase, before: Tree, wanted: Tree, after: Tree): string[] {
  const contents = new Set(Object.values(after))
  const isWhole = (path: string): boolean => wanted[path] !== undefined && after[path] === wanted[path]
  const wrong: string[] = []
  for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, full, left] = [before[path], wanted[path], after[path]]
    if (left === old || isWhole(path)) continue
    // The script moves, archives or removes this entry.
    if (left === undefined && full === undefined) {
      const become = Object.keys(wanted).filter((name) => !(name in before))
      if (old === 'dir' || contents.has(old as string) || become.every(isWhole) || isWhole(`${path}.gz`)) continue
    }
    // A file that is opened for output is empty at that time, as in bash. A file that the script removes may still exist.
    const isOpened = opens.includes(path.slice(1))
    if (isOpened && (left === '' || full === undefined || several)) continue
    wrong.push(`${path}: was ${JSON.stringify(old)}, is ${JSON.stringify(left)}, would be ${JSON.stringify(full)}`)
  }
  return wrong
}

export const isSame = (a: Tree, b: Tree): boolean => Object.keys({ ...a, ...b }).every((path) => a[path] === b[path])

export const nameOf = ({ first, script }: FaultCase): string => (first === undefined ? script : `(${first}) ${script}`)
