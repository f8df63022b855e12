import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Parts } from './parts.js'
import { isAtLeast, type NodeVersion } from './version.js'

/** What a program may do beside reading and writing the workspace. Paths of the machine; a directory stands for all that is in it. */
export interface NodePermissions {
  readonly read?: readonly string[]
  readonly write?: readonly string[]
  /** Children are bound by nothing. Default false. */
  readonly childProcesses?: boolean
  /** Default false. */
  readonly workers?: boolean
  /** Native code is bound by nothing. Default false. */
  readonly addons?: boolean
}

export interface Restriction extends NodePermissions {
  readonly fs: 'none' | 'read' | 'write'
}

const MIB = 1024 * 1024
/** Less is not enough for Node itself. */
const MIN_HEAP_MIB = 8
/** What Node takes by itself on most machines. */
const MAX_YOUNG_MIB = 16

/** As the stable flag; before, it warns of itself, and its hooks need a worker. */
const STABLE: NodeVersion = { major: 22, minor: 13 }
/** From here on the network is denied, too, which no other version does. */
const DENIES_NETWORK: NodeVersion = { major: 25, minor: 0 }
const SYNC_HOOKS: NodeVersion = { major: 22, minor: 15 }

export interface FlagOptions {
  readonly version: NodeVersion
  readonly parts: Parts
  readonly root: string
  /** The program, where it is a file. */
  readonly main: string | undefined
  readonly memoryBytes: number | undefined
  /** undefined: none. */
  readonly restriction: Restriction | undefined
}

export function nodeFlags({ parts, memoryBytes, restriction, ...options }: FlagOptions): string[] {
  return [
    ...(memoryBytes === undefined ? [] : memoryFlags(memoryBytes)),
    ...(restriction ? permissionFlags({ parts, restriction, ...options }) : []),
    `--import=${pathToFileURL(parts.bootstrap).href}`,
  ]
}

/** New objects live in three spaces beside the old ones, which are together larger than a small heap unless they are bounded, too. */
function memoryFlags(bytes: number): string[] {
  const heap = Math.max(MIN_HEAP_MIB, Math.ceil(bytes / MIB))
  const young = Math.min(MAX_YOUNG_MIB, Math.max(1, Math.floor(heap / 16)))
  return [`--max-old-space-size=${heap}`, `--max-semi-space-size=${young}`]
}

/** Whether the program's workers have to be withheld by hand. */
export function withholdsWorkers(version: NodeVersion, restriction: Restriction | undefined): boolean {
  return restriction !== undefined && restriction.workers !== true && !isAtLeast(version, SYNC_HOOKS)
}

function permissionFlags(
  options: Pick<FlagOptions, 'version' | 'parts' | 'root' | 'main'> & { readonly restriction: Restriction },
): string[] {
  const { version, parts, root, main, restriction } = options
  const { fs, read = [], write = [], childProcesses = false, workers = false, addons = false } = restriction
  const stable = isAtLeast(version, STABLE)
  const readable = [...parts.folders, ...read, ...write, ...(fs === 'none' ? [] : [root]), ...(main === undefined ? [] : [main])]
  const hooksNeedWorker = !isAtLeast(version, SYNC_HOOKS)
  const warned = stable ? [] : ['ExperimentalWarning']
  if (childProcesses || workers || addons || hooksNeedWorker) warned.push('SecurityWarning')
  return [
    stable ? '--permission' : '--experimental-permission',
    ...warned.map((type) => `--disable-warning=${type}`),
    ...bothNames(readable).map((path) => `--allow-fs-read=${path}`),
    ...bothNames(fs === 'write' ? [root, ...write] : []).map((path) => `--allow-fs-write=${path}`),
    ...(childProcesses ? ['--allow-child-process'] : []),
    ...(workers || hooksNeedWorker ? ['--allow-worker'] : []),
    ...(addons ? ['--allow-addons'] : []),
    ...(isAtLeast(version, DENIES_NETWORK) ? ['--allow-net'] : []),
  ]
}

/** A path is compared as it is written: a link's name, and what it leads to. */
function bothNames(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [path, realName(path)]))]
}

function realName(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
