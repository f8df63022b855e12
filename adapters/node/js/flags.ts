import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Parts } from './parts.js'
import { isAtLeast, type NodeVersion } from './version.js'

/**
 * Permissions of a program in addition to reading and writing the workspace. Paths are host paths. A directory includes everything in it.
 */
export interface NodePermissions {
  readonly read?: readonly string[]
  readonly write?: readonly string[]
  /** Whether the program may start child processes, which are not restricted. Default: false. */
  readonly childProcesses?: boolean
  /** Whether the program may start worker threads. Default: false. */
  readonly workers?: boolean
  /** Whether the program may load addons, whose native code is not restricted. Default: false. */
  readonly addons?: boolean
}

export interface Restriction extends NodePermissions {
  readonly fs: 'none' | 'read' | 'write'
}

const MIB = 1024 * 1024
/** Minimum heap size, which Node itself needs. */
const MIN_HEAP_MIB = 8
/** Node's own default on most machines. */
const MAX_YOUNG_MIB = 16

/** First version with the stable flag. Older versions print a warning. */
const STABLE: NodeVersion = { major: 22, minor: 13 }
/** First version whose permission model denies the network too. */
const DENIES_NETWORK: NodeVersion = { major: 25, minor: 0 }
const SYNC_HOOKS: NodeVersion = { major: 22, minor: 15 }

export interface FlagOptions {
  readonly version: NodeVersion
  readonly parts: Parts
  readonly root: string
  /** Path of the program if it is a file. */
  readonly main: string | undefined
  readonly memoryBytes: number | undefined
  /** The restriction of the program. Undefined means no restriction. */
  readonly restriction: Restriction | undefined
}

export function nodeFlags({ parts, memoryBytes, restriction, ...options }: FlagOptions): string[] {
  return [
    ...(memoryBytes === undefined ? [] : memoryFlags(memoryBytes)),
    ...(restriction ? permissionFlags({ parts, restriction, ...options }) : []),
    `--import=${pathToFileURL(parts.bootstrap).href}`,
  ]
}

/**
 * Returns the flags that limit the memory. They limit the young generation too, because its three spaces together could exceed a small
 * heap.
 */
function memoryFlags(bytes: number): string[] {
  const heap = Math.max(MIN_HEAP_MIB, Math.ceil(bytes / MIB))
  const young = Math.min(MAX_YOUNG_MIB, Math.max(1, Math.floor(heap / 16)))
  return [`--max-old-space-size=${heap}`, `--max-semi-space-size=${young}`]
}

/** Whether the child itself must disable workers, because the flag of Node cannot do so. */
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

/** Adds the real path of each path, because Node compares paths as text. */
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
