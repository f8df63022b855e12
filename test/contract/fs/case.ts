import type { FsAdapter } from '../../../src/types/fs.js'
import { equal, rejects } from '../runner.js'
import type { CaseGroup } from '../suite.js'

/** A part of the port that an adapter may lack. `symlink` stands for `symlink` and `readlink`, `mode` for `can.mode`. */
export type FsPart = 'symlink' | 'append' | 'copy' | 'rmTree' | 'setMeta' | 'usage' | 'mode'

/** An adapter with every optional method; a case calls only those that its group needs. */
export type FullFs = FsAdapter & Required<Pick<FsAdapter, 'readlink' | 'symlink' | 'append' | 'copy' | 'rmTree' | 'setMeta' | 'usage'>>

/** Runs on a new, empty adapter. */
export type FsCase = (fs: FullFs) => Promise<void>

export type FsCaseGroup = CaseGroup<FsPart, FsCase>

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

export function put(fs: FsAdapter, path: string, text: string): Promise<void> {
  return fs.write(path, utf8(text))
}

export async function get(fs: FsAdapter, path: string): Promise<string> {
  return decoder.decode(await fs.read(path))
}

/** Creates the entries in the given order: `{'/d': null, '/d/f': 'text', '/l': '-> target'}`. */
export async function seed(fs: FullFs, tree: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    if (content === null) await fs.mkdir(path)
    else if (content.startsWith('-> ')) await fs.symlink(content.slice(3), path)
    else await put(fs, path, content)
  }
}

export async function names(fs: FsAdapter, path: string): Promise<string[]> {
  return (await fs.readdir(path)).map((entry) => entry.name).sort()
}

export async function expectText(fs: FsAdapter, path: string, text: string): Promise<void> {
  equal(await get(fs, path), text, `the content of "${path}"`)
}

export async function expectKind(fs: FsAdapter, path: string, kind: 'file' | 'dir' | 'symlink'): Promise<void> {
  equal((await fs.lstat(path)).kind, kind, `the kind of "${path}"`)
}

export async function expectAbsent(fs: FsAdapter, ...paths: string[]): Promise<void> {
  for (const path of paths) await rejects(fs.lstat(path), 'ENOENT')
}

/** Returns `length` bytes: 0, 7, 14, … modulo 251. The period is not a power of two, so shifted or swapped blocks are detected. */
export function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) bytes[i] = (i * 7) % 251
  return bytes
}
