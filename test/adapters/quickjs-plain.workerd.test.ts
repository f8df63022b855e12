// @module-tag quickjs
import plain from '@jitl/quickjs-wasmfile-release-sync/wasm'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestWorkspace } from 'toolport/testing'
import { expect, it } from 'vitest'

// This library adds a function to the engine, which is only possible before the engine is compiled. The published engine lacks the
// function.
it('quickjs runs programs in the published engine', async () => {
  const { workspace, files } = createTestWorkspace({ files: { 'throws.mjs': 'throw new Error("x")', 'a.txt': 'a' } })
  const js = createQuickJs({ wasm: plain, memoryBytes: 32 * 2 ** 20 })(workspace)
  const code = `import fs from 'node:fs'
    try { await import('./throws.mjs') } catch (e) { console.log('caught', e.message) }
    fs.writeFileSync('b.txt', fs.readFileSync('a.txt', 'utf8') + 'b')
    export default await Promise.resolve(7)`
  expect(await js.run({ code })).toMatchObject({ stdout: 'caught x\n', stderr: '', exitCode: 0, result: 7 })
  expect(await files()).toMatchObject({ 'b.txt': 'ab' })
  expect(await js.run({ code: 'throw new Error("x")' })).toMatchObject({ exitCode: 1 })
  expect(await js.run({ code: 'await Promise.reject(new Error("x"))' })).toMatchObject({ exitCode: 1 })
  // The published engine does not report an unhandled rejection.
  expect(await js.run({ code: 'Promise.reject(new Error("x")); console.log(1)' })).toMatchObject({ stdout: '1\n', exitCode: 0 })
  expect(await js.run({ code: 'for (;;);', timeoutMs: 200 })).toMatchObject({ timedOut: true, exitCode: null })
  expect(await js.run({ code: 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)' })).toMatchObject({ exitCode: 134 })
  expect(await js.run({ code: 'console.log("next")' })).toMatchObject({ stdout: 'next\n', exitCode: 0 })
})
