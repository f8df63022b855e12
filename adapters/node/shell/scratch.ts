import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ShellError } from '../../../src/errors/index.js'

/** Path of a temporary file, the caller's to remove, that only this user can read. For text that is too long for an argument. */
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
      // Somebody else may clean the directory of temporary files.
    }
  }
}

/** For a shell to read, whatever stands in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
