import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFs, type NodeFsOptions } from 'toolport/adapters/node'
import { FsError } from '../../src/errors/index.js'
import type { FsAdapter } from '../../src/types/fs.js'

/** `FsAdapter` with the optional methods that this adapter has. */
export type NodeFs = Required<Omit<FsAdapter, 'usage' | 'suggestedRoot' | 'checkpoint'>> & Pick<FsAdapter, 'suggestedRoot'>

/** A new directory for each test, which contains the root. */
export let base: string
export let root: string
const opened: FsAdapter[] = []

export function nodeFs(options: Partial<NodeFsOptions> = {}): NodeFs {
  const fs = createNodeFs({ root, ...options })
  opened.push(fs)
  return fs as NodeFs
}

export function freshRoot(): void {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-node-')))
  root = join(base, 'root')
  mkdirSync(root)
}

export async function cleanUp(): Promise<void> {
  // Files are removed first, because closing would otherwise sync every file of the test to disk.
  if (existsSync(root)) for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true })
  for (const fs of opened.splice(0)) await fs.close()
  rmSync(base, { recursive: true, force: true })
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
export const onDisk = (path: string): string => readFileSync(join(root, path), 'utf8')
export const modeOf = (path: string): number => statSync(join(root, path)).mode & 0o7777

export async function failure(call: Promise<unknown>): Promise<FsError> {
  const error = await call.then(
    (value) => new Error(`Expected a failure, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!FsError.is(error)) throw error
  return error
}
export const codeOf = async (call: Promise<unknown>): Promise<string> => (await failure(call)).code
