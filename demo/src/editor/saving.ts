import type { Session } from '../session.js'
import { splitLines } from '../text/lines.js'
import type { LoadedText } from '../text/load-file.js'

export interface ToSave {
  /** Relative to the root. */
  readonly path: string
  readonly text: string
  readonly bom: boolean
  /** The version that is expected to be there; undefined: nothing is, and the file is made. */
  readonly expect: string | undefined
  /** What is there was not seen by whoever saves: it has to be kept. */
  readonly isOver: boolean
}

/**
 * Writes a text, after a checkpoint, so that what was there can be had back.
 *
 * @throws {FsError} ESTALE, EEXIST: there is something else by now; and whatever a write rejects with
 */
export async function writeFile(
  { workspace }: Pick<Session, 'workspace'>,
  { path, text, bom, expect, isOver }: ToSave,
): Promise<LoadedText> {
  const kept = workspace.checkpoint({ label: `Before saving ${path}`.slice(0, 200), reuse: true })
  // Without room for a checkpoint, what was seen and changed on purpose is still saved; what was not seen stays.
  await (isOver ? kept : kept.catch(() => undefined))
  const { version, bytesAfter } = await workspace.writeText(path, text, {
    bom,
    ...(expect === undefined ? { mode: 'create' as const } : { expect }),
  })
  return { path, size: bytesAfter, version, kind: 'text', text, bom, cut: false, ...splitLines(text) }
}

/** Whether an error says that the file is not what it was. */
export function isStale(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return code === 'ESTALE' || code === 'EEXIST'
}
