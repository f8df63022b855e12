import { isRecord } from '../../ops/is-record.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath } from '../../workspace/paths.js'
import { createDisk, type Disk } from './disk.js'
import type { Manifest } from './manifest.js'
import { joined } from './specifiers.js'

const NAME = /^(@[^/]+\/[^/]+|[^/@][^/]*)(?:\/([^/]+))?$/

/**
 * Finds the file of an installed package's command. `name` is `nanoid` (the package of that name, else any package with such a command),
 * `@scope/pkg`, or `pkg/command`. Searches from `cwd` (default: the workspace's working directory) up to the root. The package that
 * contains `cwd` counts last.
 */
export async function resolveBin(workspace: Workspace, name: string, options: { readonly cwd?: string } = {}): Promise<string | undefined> {
  const [, packageName, command] = NAME.exec(name) ?? []
  if (packageName === undefined || /(?:^|\/)\.\.?(?:\/|$)/.test(name)) return undefined
  const disk = createDisk(workspace)
  const folders = disk.upwards(await workspace.realpath(options.cwd ?? '.'))
  for (const folder of folders) {
    const modules = joinPath(folder, 'node_modules')
    if ((await disk.kindOf(modules)) !== 'dir') continue
    const found =
      (await commandOf(disk, await readable(disk, joinPath(modules, packageName)), command)) ??
      (name === packageName && !name.startsWith('@') ? await anyCommand(disk, modules, name) : undefined)
    if (found !== undefined) return found
  }
  for (const folder of folders) {
    const own = await readable(disk, folder)
    const found = own?.name === packageName ? await commandOf(disk, own, command) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Finds the file that a package's command runs. `command` defaults to the command with the package's name, or to the only command. */
async function commandOf(disk: Disk, manifest: Manifest | undefined, command: string | undefined): Promise<string | undefined> {
  if (!manifest) return undefined
  const commands = commandsOf(manifest)
  const own = baseOf(manifest.name ?? manifest.folder)
  const file =
    command === undefined ? (commands.get(own) ?? (commands.size === 1 ? [...commands.values()][0] : undefined)) : commands.get(command)
  if (file === undefined) return undefined
  const path = joined(manifest.folder, file)
  return path.startsWith(`${manifest.folder}/`) && (await disk.kindOf(path)) === 'file' ? disk.realpath(path) : undefined
}

/** Finds a command of any package. A link in `.bin` leads to the command's file, so not all packages have to be searched. */
async function anyCommand(disk: Disk, modules: string, name: string): Promise<string | undefined> {
  const link = joinPath(modules, `.bin/${name}`)
  if ((await disk.kindOf(link)) === 'file') {
    const target = await disk.realpath(link)
    // On storages without links, the entry is a shell script.
    if (target !== link) return target
  }
  for (const folder of await packagesIn(disk, modules)) {
    const manifest = await readable(disk, folder)
    if (manifest && commandsOf(manifest).has(name)) return commandOf(disk, manifest, name)
  }
  return undefined
}

function commandsOf({ name, folder, bin }: Manifest): ReadonlyMap<string, string> {
  if (typeof bin === 'string') return new Map([[baseOf(name ?? folder), bin]])
  if (!isRecord(bin)) return new Map()
  return new Map(Object.entries(bin).flatMap(([command, file]) => (typeof file === 'string' ? [[baseOf(command), file]] : [])))
}

const baseOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

async function packagesIn(disk: Disk, modules: string): Promise<string[]> {
  const folders: string[] = []
  for (const name of await disk.names(modules)) {
    if (name.startsWith('.')) continue
    const folder = joinPath(modules, name)
    if (!name.startsWith('@')) folders.push(folder)
    else for (const scoped of await disk.names(folder)) folders.push(joinPath(folder, scoped))
  }
  return folders
}

/** Reads a package.json. An invalid one counts as missing, so it hides only its own commands. */
function readable(disk: Disk, folder: string): Promise<Manifest | undefined> {
  return disk.manifest(folder).catch(() => undefined)
}
