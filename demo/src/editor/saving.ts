import type { Session } from '../session.js'
import { splitLines } from '../text/lines.js'
import type { LoadedText } from '../text/load-file.js'

export interface ToSave {
  /** Relative to the root. */
  readonly path: string
  readonly text: string
  readonly bom: boolean
  /** Expected version of the file. Undefined: the file must not exist and is created. */
  readonly expect: string | undefined
  /** Whether the save overwrites content that the user has not seen. A checkpoint is required then. */
  readonly isOver: boolean
}

/**
 * Writes a text after taking a checkpoint, so that the previous content can be restored.
 *
 * @throws {FsError} ESTALE, EEXIST when the file has changed meanwhile; and any error of a write
 */
export async function writeFile(
  { workspace }: Pick<Session, 'workspace'>,
  { path, text, bom, expect, isOver }: ToSave,
): Promise<LoadedText> {
  const kept = workspace.checkpoint({ label: `Before saving ${path}`.slice(0, 200), reuse: true })
  // If no checkpoint can be taken, content that the user has seen is still overwritten; unseen content is not.
  await (isOver ? kept : kept.catch(() => undefined))
  const { version, bytesAfter } = await workspace.writeText(path, text, {
    bom,
    ...(expect === undefined ? { mode: 'create' as const } : { expect }),
  })
  return { path, size: bytesAfter, version, kind: 'text', text, bom, cut: false, ...splitLines(text) }
}

/** Whether an error reports a stale write. */
export function isStale(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return code === 'ESTALE' || code === 'EEXIST'
}
