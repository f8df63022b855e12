// @module-tag package
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { packed } from '../../scripts/packed.mjs'

const from = fileURLToPath(new URL('../../', import.meta.url))

it('createNodeJs runs programs if packages are links to a store elsewhere', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-linked-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const installed = join(root, 'node_modules/toolport')
  cpSync(join(packed().app, 'node_modules/toolport'), installed, { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  for (const name of Object.keys(dependencies)) {
    const link = join(root, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(from, 'node_modules', name), link)
  }
  mkdirSync(join(root, 'work'))
  const program = `import { createNodeJs } from 'toolport/adapters/node'
import { createNodeRuntime } from 'toolport/node'
const tools = createNodeRuntime({ root: 'work', js: createNodeJs() })
const { stdout, stderr } = await tools.call('run_js', { code: 'console.log(1)' })
process.stdout.write(stdout + stderr)
await tools.dispose()
`
  writeFileSync(join(root, 'main.mjs'), program)
  expect(execFileSync(process.execPath, ['main.mjs'], { cwd: root, encoding: 'utf8' })).toBe('1\n')
})
