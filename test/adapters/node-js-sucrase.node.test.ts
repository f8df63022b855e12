// @module-tag node-js
import { spawnSync } from 'node:child_process'
import { cpSync, openSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cleanUp, freshRoot, put, root } from './node-js-fixture.js'

beforeEach(freshRoot)
afterEach(cleanUp)

it.each(['a.ts', 'a.cts'])('without sucrase, TypeScript fails and names the package, and JavaScript runs: %s', (name) => {
  // Copies the code that is loaded before a program to a folder where nothing else is installed.
  const built = createRequire(import.meta.url).resolve('toolport/adapters/node')
  cpSync(dirname(built), join(root, 'child'), { recursive: true })
  put({
    'package.json': '{"type":"module"}',
    'node_modules/.keep': '',
    'a.ts': 'export {}',
    'a.cts': '',
    'plain.mjs': 'console.log("ran")',
  })
  const lexer = dirname(createRequire(built).resolve('es-module-lexer'))
  symlinkSync(dirname(lexer), join(root, 'node_modules/es-module-lexer'))
  const start = (file: string) => {
    const main = join(root, file)
    put({ 'task.json': JSON.stringify({ main, tools: false, withholdWorkers: false }) })
    return spawnSync(process.execPath, [`--import=${join(root, 'child/adapters-node-js-child-main.js')}`, main], {
      stdio: ['ignore', 'pipe', 'pipe', 'ignore', openSync(join(root, 'task.json'), 'r')],
      encoding: 'utf8',
    })
  }
  expect(start('plain.mjs')).toMatchObject({ status: 0, stdout: 'ran\n', stderr: '' })
  expect(start(name)).toMatchObject({ status: 1, stderr: expect.stringContaining('TypeScript needs the package "sucrase"') })
})
