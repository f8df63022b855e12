import { FsError, hasCode } from '../../src/errors/index.js'
import { decodeUtf8 } from '../../src/ops/utf8.js'
import type { Workspace } from '../../src/types/workspace.js'
import { joinPath } from '../../src/workspace/paths.js'

/** Extensions of a repository that change nothing here (https://git-scm.com/docs/repository-version). */
const HARMLESS: ReadonlySet<string> = new Set(['noop', 'preciousobjects'])
/** Parts of an index that nobody may pass over (gitformat-index): the library would write it again without them. */
const PARTS: Readonly<Record<string, string>> = { link: 'split (core.splitIndex)', sdir: 'sparse' }

/**
 * Whether the library reads and writes what this repository is made of. It knows SHA-1 and the versions 2 and 3 of the index, and leaves out what it does
 * not know when it writes, which native git then cannot read.
 *
 * @throws {FsError} ENOTSUP with the reason
 */
export async function checkSupported(workspace: Workspace, dir: string): Promise<void> {
  const refuse = (why: string): FsError => new FsError({ code: 'ENOTSUP', op: 'use the repository', path: dir, detail: why })
  const read = async (name: string): Promise<Uint8Array | undefined> => {
    try {
      return (await workspace.readBytes(joinPath(dir, `.git/${name}`))).bytes
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }
  const config = await read('config')
  const unsupported = (config && ofConfig(parseConfig(decodeUtf8(config) ?? ''))) ?? ofIndex(await read('index'))
  if (unsupported !== undefined) throw refuse(unsupported)
}

function ofConfig(config: ReadonlyMap<string, string>): string | undefined {
  const version = Number(config.get('core.repositoryformatversion') ?? 0)
  if (version > 1) return `its format has version ${version}, which is not supported`
  for (const [key, value] of config) {
    const extension = /^extensions\.(.*)$/.exec(key)?.[1]
    if (extension === 'objectformat' && value !== 'sha1') return `its objects are named by ${value}, and only sha1 is supported`
    if (extension !== undefined && extension !== 'objectformat' && !HARMLESS.has(extension))
      return `it uses the extension "${extension}" (${value}), which is not supported`
  }
  if (isTrue(config.get('core.sparsecheckout'))) return 'it is a sparse checkout, which is not supported: git sparse-checkout disable'
  if (config.has('core.worktree')) return 'its files are elsewhere (core.worktree), which is not supported'
  return undefined
}

const isTrue = (value: string | undefined): boolean => value !== undefined && /^(?:true|yes|on|1|)$/i.test(value)

/** Values by `section.key`; of a section with a subsection nothing is asked. */
function parseConfig(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let section = ''
  for (const line of text.split('\n')) {
    const head = /^\s*\[\s*([-.\w]+)\s*(?:"(?:[^"\\]|\\.)*"\s*)?\]/.exec(line)
    if (head) section = line.includes('"') && /"\s*\]/.test(line) ? '' : (head[1] as string)
    const [, key, value = ''] =
      /^\s*([A-Za-z][-A-Za-z0-9]*)\s*(?:=\s*(.*?))?\s*(?:[#;].*)?$/.exec(head ? line.slice(head[0].length) : line) ?? []
    if (key && section) values.set(`${section}.${key}`.toLowerCase(), value.replaceAll('"', ''))
  }
  return values
}

const HEADER = 12
const ENTRY = 62
const CHECKSUM = 20
const MARK = 0x44495243
const EXTENDED = 0x4000

function ofIndex(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || bytes.length < HEADER) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // What is damaged the library says.
  if (view.getUint32(0) !== MARK) return undefined
  const version = view.getUint32(4)
  if (version === 4) return 'its index has version 4, which is not supported: git update-index --index-version 2'
  if (version !== 2 && version !== 3) return undefined
  let at = HEADER
  for (let left = view.getUint32(8); left > 0; left--) {
    if (at + ENTRY > bytes.length) return undefined
    const flags = view.getUint16(at + ENTRY - 2)
    const head = flags & EXTENDED ? ENTRY + 2 : ENTRY
    const named = flags & 0xfff
    const length = named < 0xfff ? named : bytes.indexOf(0, at + head) - at - head
    at += (head + length + 8) & ~7
  }
  while (at + 8 <= bytes.length - CHECKSUM) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4))
    // Those that begin with a capital letter may be dropped.
    if (!/^[A-Z]/.test(name)) return `its index is ${PARTS[name] ?? `of a kind ("${name}") that is not known`}, which is not supported`
    at += 8 + view.getUint32(at + 4)
  }
  return undefined
}
