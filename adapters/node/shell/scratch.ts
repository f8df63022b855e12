import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ShellError } from '../../../src/errors/index.js'

/** Writes text that is too long for an argument to a temporary file, readable only by this user. The caller removes it. */
export function scratchFile(text: string): string {
  const path = join(tmpdir(), `toolport-${randomUUID()}`)
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return path
  } catch (cause) {
    rmSync(path, { force: true })
    throw new ShellError(
      'spawn_failed',
      'Cannot start the shell: the command or its state is large, and there is no temporary file for it',
      {
        cause,
      },
    )
  }
}

export function removeScratch(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmSync(path, { force: true })
    } catch {
      // Another program may have cleaned the temporary directory.
    }
  }
}

/** Quotes any text for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
