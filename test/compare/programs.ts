import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileTools, searchTools } from 'toolport'
import { createTestRuntime } from 'toolport/testing'
import { afterAll } from 'vitest'
import { type Bench, benchOver } from '../tools/harness.js'

/** Whether a program answers to `--version` on this machine. */
export const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** A directory on disk, which the cases use one after another, and the same files in memory. */
export class Trees {
  readonly root: string = mkdtempSync(join(tmpdir(), 'toolport-compare-'))

  constructor() {
    afterAll(() => rmSync(this.root, { recursive: true, force: true }))
  }

  /** Replaces all files except `.git`. Returns a bench that has the same files in memory. */
  write(files: Readonly<Record<string, string>>): Bench {
    for (const name of readdirSync(this.root)) if (name !== '.git') rmSync(join(this.root, name), { recursive: true })
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true })
      writeFileSync(join(this.root, path), text)
    }
    return benchOver(createTestRuntime({ files, tools: [...fileTools(), ...searchTools()] }).runtime)
  }

  /** Runs a program in the directory and returns its output. @throws if the program fails */
  run(program: string, args: readonly string[], input = ''): string {
    const env = { PATH: process.env.PATH, HOME: this.root, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' }
    return execFileSync(program, args, { cwd: this.root, env, input, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' })
  }
}
