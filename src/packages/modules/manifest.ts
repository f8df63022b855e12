import { isRecord } from '../../ops/is-record.js'
import { Unresolved } from './unresolved.js'

/** The fields of package.json that module resolution needs. */
export interface Manifest {
  readonly folder: string
  readonly path: string
  readonly name?: string
  readonly type?: 'module' | 'commonjs'
  readonly main?: string
  /** The entry point for bundlers. */
  readonly module?: string
  readonly browser?: unknown
  readonly exports?: unknown
  readonly imports?: Readonly<Record<string, unknown>>
  readonly bin?: unknown
}

/** Maximum nesting of a package.json, because recursive functions read its maps. Real maps are far less deep. */
const MAX_DEPTH = 100

/** @throws {Unresolved} ERR_INVALID_PACKAGE_CONFIG */
export function parseManifest(folder: string, path: string, text: string): Manifest {
  const json = parse(path, text)
  if (!isRecord(json)) throw new Unresolved('ERR_INVALID_PACKAGE_CONFIG', `Invalid package config ${path}. It has to be a JSON object.`)
  if (isTooDeep(json, MAX_DEPTH))
    throw new Unresolved('ERR_INVALID_PACKAGE_CONFIG', `Invalid package config ${path}. It is nested too deeply.`)
  const { name, type, main, module, browser, exports, imports, bin } = json
  return {
    folder,
    path,
    ...(typeof name === 'string' && { name }),
    ...((type === 'module' || type === 'commonjs') && { type }),
    ...(typeof main === 'string' && { main }),
    ...(typeof module === 'string' && { module }),
    ...(exports !== null && exports !== undefined && { exports }),
    ...(isRecord(imports) && { imports }),
    browser,
    bin,
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Unresolved('ERR_INVALID_PACKAGE_CONFIG', `Invalid package config ${path}. ${error instanceof Error ? error.message : ''}`)
  }
}

function isTooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((inner) => isTooDeep(inner, left - 1))
}
