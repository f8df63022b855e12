import { createWorkspace, type ShellAdapter, type Workspace } from 'toolport'
import { createJustBashShell, type JustBashShellOptions } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { SEED_MTIME_MS, type SeedEntry } from './just-bash-find-seed.js'

/** A shell on these entries. scripts/record-shell.mjs creates the same entries on disk. */
export async function findShell(
  seed: readonly SeedEntry[],
  options?: Partial<JustBashShellOptions>,
): Promise<{ readonly workspace: Workspace; readonly shell: ShellAdapter }> {
  const files = Object.fromEntries(seed.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text]])))
  const workspace = createWorkspace({ fs: createMemoryFs({ files }) })
  const folders = new Set<string>()
  for (const { path, text, target, mode, ageSeconds } of seed) {
    if (target !== undefined) await workspace.symlink(target, path)
    else if (text === undefined) await workspace.mkdir(path)
    const mtimeMs = ageSeconds === undefined ? SEED_MTIME_MS : Date.now() - ageSeconds * 1000
    if (target === undefined) await workspace.setMeta(path, { mtimeMs, ...(mode !== undefined && { mode }) })
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at))
  }
  for (const folder of folders) await workspace.setMeta(folder, { mtimeMs: SEED_MTIME_MS })
  return { workspace, shell: createJustBashShell({ scratch: createMemoryFs(), ...options })(workspace) }
}
