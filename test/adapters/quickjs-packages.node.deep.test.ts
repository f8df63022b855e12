// @module-tag quickjs
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createWorkspace, type JsResult, type JsRunOptions } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { afterAll } from 'vitest'
import { packageCases } from './quickjs-packages-cases.js'

// Runs the same cases in Node itself, in a real directory.
const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-packages-')))
afterAll(() => rm(root, { recursive: true }))
const workspace = createWorkspace({ fs: createNodeFs({ root }) })
packageCases('node', { workspace, js: { run: runInNode }, guest: false })

async function runInNode({ code, entry, filename, format, args = [] }: JsRunOptions): Promise<JsResult> {
  const path = join(root, entry ?? filename ?? (format === 'commonjs' ? 'program.cjs' : 'program.mjs'))
  if (code !== undefined) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, code)
  }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [path, ...args], { cwd: root, env: {} }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, stdout, stderr, timedOut: false, aborted: false, truncated: false }),
    )
  })
}
