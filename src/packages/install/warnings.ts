import { isRecord } from '../../ops/is-record.js'
import type { InstallWarning, InstallWarningKind } from './options.js'
import { suitsEngine } from './pick-version.js'
import { isForMachines } from './platform.js'
import { resolveFrom, satisfied, type TreeNode } from './tree.js'
import type { Unpacked } from './unpack.js'

const SCRIPTS = ['preinstall', 'install', 'postinstall']

/** Returns warnings about peer dependencies that are missing or do not match. */
export function peerWarnings(node: TreeNode): InstallWarning[] {
  const warnings: InstallWarning[] = []
  for (const edge of node.edges) {
    if (edge.kind !== 'peer' && edge.kind !== 'peerOptional') continue
    const found = resolveFrom(node, edge.name)
    if (found ? satisfied(edge, found.name, found.entry) : edge.kind === 'peerOptional') continue
    const what = found ? `${found.entry.version} is installed` : 'it is not installed'
    warnings.push(warning('peer', node, `needs the peer dependency ${edge.name}@${edge.given}, and ${what}: install it too`))
  }
  return warnings
}

/** Returns warnings about features of a package that may not work here. */
export function packageWarnings(node: TreeNode, unpacked: Unpacked | undefined, nodeVersion: string | undefined): InstallWarning[] {
  const { entry } = node
  const warnings: InstallWarning[] = []
  if (entry.deprecated !== undefined) warnings.push(warning('deprecated', node, `is deprecated: ${entry.deprecated.slice(0, 500)}`))
  if (!suitsEngine(entry, nodeVersion))
    warnings.push(warning('engine', node, `requires Node ${entry.engines?.node}, but this is ${nodeVersion}`))
  if (!unpacked) {
    const machines = [...(entry.os ?? []), ...(entry.cpu ?? [])].join(', ')
    warnings.push(warning('optional', node, `is optional and for ${machines} only: it is not installed`))
  } else if (isNative(node, unpacked)) {
    warnings.push(warning('native', node, 'has native code: it may not work here'))
  } else if (entry.hasInstallScript || runsScripts(unpacked)) {
    warnings.push(warning('install_script', node, 'has an install script, which was not run: it may not work'))
  }
  return warnings
}

export function warning(
  kind: InstallWarningKind,
  { name, entry: { version } }: Pick<TreeNode, 'name' | 'entry'>,
  message: string,
): InstallWarning {
  return { kind, name, version, message: `${name}${version === '' ? '' : `@${version}`} ${message}` }
}

function isNative({ entry }: TreeNode, { files, json }: Unpacked): boolean {
  if (isForMachines(entry) || json.gypfile === true || files.has('binding.gyp')) return true
  for (const path of files.keys()) if (path.endsWith('.node')) return true
  return false
}

export function runsScripts({ json, files }: Unpacked): boolean {
  const { scripts } = json
  return files.has('binding.gyp') || (isRecord(scripts) && SCRIPTS.some((name) => Object.hasOwn(scripts, name)))
}
