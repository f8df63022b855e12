import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Workspace } from 'toolport'
import { afterAll } from 'vitest'
import { gitEnvironment } from '../setup/native-git.js'

/** Native git, in folders that are deleted after the tests of the file. */
export function nativeGit() {
  const base = mkdtempSync(join(tmpdir(), 'git-native-'))
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  const folder = (): string => mkdtempSync(join(base, 'repo-'))

  function native(cwd: string, args: readonly string[], input?: string): string {
    return execFileSync('git', ['-c', 'safe.directory=*', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      env: gitEnvironment(base),
    })
  }

  /** Copies the whole workspace to disk and returns the folder. */
  async function exported(workspace: Workspace): Promise<string> {
    const to = folder()
    for await (const run of workspace.walk('.', { ignore: false })) {
      for (const { path, kind } of run) {
        const at = join(to, workspace.relative(path))
        if (kind === 'dir') mkdirSync(at)
        else if (kind === 'symlink') symlinkSync(await workspace.readlink(path), at)
        else writeFileSync(at, (await workspace.readBytes(path)).bytes, { mode: (await workspace.stat(path)).mode ?? 0o644 })
      }
    }
    return to
  }

  const fsck = (cwd: string): string => native(cwd, ['fsck', '--full', '--strict', '--no-dangling'])

  return { folder, native, exported, fsck }
}
