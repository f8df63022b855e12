import valid from 'semver/functions/valid.js'
import { FsError } from '../../errors/index.js'
import { entryBytes } from '../../ops/archive/content.js'
import { EntryGuard } from '../../ops/archive/guard.js'
import { gunzip } from '../../ops/archive/gzip.js'
import { readTar } from '../../ops/archive/read-tar.js'
import { sameBytes } from '../../ops/bytes.js'
import { isRecord } from '../../ops/is-record.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { Host } from '../../types/host.js'
import { Slicer } from '../../workspace/slicer.js'
import type { PackageEntry } from './entry.js'
import { installError, shown, whileUnpacking } from './faults.js'

export interface UnpackedFile {
  readonly bytes: Uint8Array
  readonly executable: boolean
}

export interface Unpacked {
  /** Files by their path in the package. */
  readonly files: ReadonlyMap<string, UnpackedFile>
  readonly bytes: number
  readonly json: Readonly<Record<string, unknown>>
}

/** The remaining limits shared by all packages of an install. */
export interface Budget {
  files: number
  bytes: number
}

export interface UnpackOptions {
  readonly host: Host
  readonly caseSensitive: boolean
  readonly budget: Budget
  readonly signal: AbortSignal
}

/** Cost of unpacking one file, in units of the slicer. */
const STEPS = 16
const LINK = 'is a link, which packages cannot have'

/**
 * Unpacks the files of a tarball, without its top directory. Of the tarball's own node_modules, keeps only bundled packages.
 *
 * @throws {InputError} `tarball`: damaged, another package, or names or links that lead outside; {FsError} EFBIG
 */
export async function unpack(registryName: string, entry: PackageEntry, tarball: Uint8Array, options: UnpackOptions): Promise<Unpacked> {
  const label = `${registryName}@${entry.version}`
  try {
    const files = await readFiles(tarball, entry, options)
    const json = packageJson(files.get('package.json'))
    checkIdentity(registryName, entry.version, json)
    let bytes = 0
    for (const file of files.values()) bytes += file.bytes.length
    return { files, bytes, json }
  } catch (error) {
    throw whileUnpacking(label, error)
  }
}

async function readFiles(tarball: Uint8Array, entry: PackageEntry, options: UnpackOptions): Promise<Map<string, UnpackedFile>> {
  const { host, caseSensitive, budget, signal } = options
  const limits = { entries: Math.max(budget.files, 0) * 2 + 100, bytes: Math.max(budget.bytes, 0), fileBytes: Math.max(budget.bytes, 0) }
  const guard = new EntryGuard(limits, { caseSensitive })
  const slicer = new Slicer(host, { signal })
  const files = new Map<string, UnpackedFile>()
  for await (const found of readTar(gunzip(tarball, { limits, signal }), { asWritten: true, limits, signal })) {
    signal.throwIfAborted()
    if (slicer.due(STEPS + found.size / 1024)) await slicer.pause()
    if (found.kind === 'symlink') throw installError('tarball', `entry ${shown(found.path)} ${LINK}`)
    const path = found.path.slice(found.path.indexOf('/') + 1)
    if (found.kind !== 'file' || !found.path.includes('/') || !isWanted(path, entry)) continue
    budget.files--
    budget.bytes -= found.size
    if (budget.files < 0)
      throw new FsError({ code: 'EFBIG', op: 'unpack', path, detail: 'the packages exceed the file limit of the install' })
    if (budget.bytes < 0)
      throw new FsError({ code: 'EFBIG', op: 'unpack', path, detail: 'the packages exceed the byte limit of the install' })
    const executable = ((found.mode ?? 0) & 0o111) !== 0
    const repeated = files.get(path)
    // Some tarballs contain a file twice, as `dist/index.js` and `./dist/index.js` (agent-base 7.1.4).
    if (repeated?.bytes.length === found.size && sameBytes(repeated.bytes, await entryBytes(found))) {
      if (executable) files.set(path, { bytes: repeated.bytes, executable })
      continue
    }
    guard.admit(path, 'file', found.size)
    files.set(path, { bytes: await entryBytes(found), executable })
  }
  return files
}

function isWanted(path: string, { bundleDependencies = [] }: PackageEntry): boolean {
  if (!path.startsWith('node_modules/')) return true
  const [first = '', second = ''] = path.slice('node_modules/'.length).split('/')
  return bundleDependencies.includes(first.startsWith('@') ? `${first}/${second}` : first)
}

function packageJson(file: UnpackedFile | undefined): Readonly<Record<string, unknown>> {
  const text = file && decodeUtf8(file.bytes)
  if (text === undefined) throw installError('tarball', 'it has no package.json')
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw installError('tarball', 'its package.json is not JSON')
  }
  if (!isRecord(json)) throw installError('tarball', 'its package.json is not a JSON object')
  return json
}

/** Checks that the unpacked package is the one that the registry announced. */
function checkIdentity(name: string, version: string, json: Readonly<Record<string, unknown>>): void {
  const said = typeof json.version === 'string' ? valid(json.version, { loose: true }) : null
  if (json.name === name && said === valid(version, { loose: true })) return
  throw installError('tarball', `its package.json says that it is ${shown(`${String(json.name)}@${String(json.version)}`)}`)
}
