// @module-tag test-kit
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { packed } from '../../scripts/packed.mjs'

/** Folder in which the packed package is installed. */
const { app } = packed()

it('toolport/testing bundles the virtual shell only if it is used', async () => {
  const hasShell = async (names: string): Promise<boolean> => {
    const { metafile } = await build({
      stdin: { contents: `export { ${names} } from 'toolport/testing'`, resolveDir: app },
      bundle: true,
      write: false,
      format: 'esm',
      conditions: ['browser'],
      external: ['cloudflare:*'],
      logLevel: 'error',
      metafile: true,
    })
    const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
    return inputs.some(([file, { bytesInOutput }]) => file.endsWith('vendor/just-bash.js') && bytesInOutput > 0)
  }
  expect(await hasShell('createTestRuntime, scriptedModel, openCassette, matchers')).toBe(false)
  expect(await hasShell('createTestRuntime, virtualShell')).toBe(true)
})

it('toolport/testing works with node:test', async () => {
  const page = await readFile(new URL('../../docs/test-kit.md', import.meta.url), 'utf8')
  const [, example] = /^```js\n(import .*'node:test'\n[\s\S]*?)^```/m.exec(page) as unknown as [string, string]
  await writeFile(`${app}/kit.test.mjs`, `${example}test('fails', () => assertions.toHaveCalled(createTestRuntime(), 'bash'))`)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = (): string =>
    execFileSync(process.execPath, ['--test', '--test-reporter=tap', 'kit.test.mjs'], { cwd: app, encoding: 'utf8', env })
  expect(run).toThrow(
    expect.objectContaining({
      stdout: expect.stringMatching(/ok 1 - works with any runner[\s\S]*not ok 2 - fails[\s\S]*Expected a call of bash/),
    }),
  )
})
