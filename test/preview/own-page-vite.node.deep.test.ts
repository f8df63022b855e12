// @module-tag preview
// Follows docs/preview.md in an empty folder: runs its commands with the packed package, and serves the page with Vite.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { packed } from '../../scripts/packed.mjs'
import { newContext, useBrowser } from '../demo/visit.js'
import { commands, html, program, useOwnPage } from './own-page-support.js'

useBrowser(async () => '')

const TARBALL = '../toolport/toolport-0.1.0.tgz'
const env = { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_prefer_offline: 'true' }

/** Starts a server. Resolves to the address that it prints. */
function serve(cwd: string): Promise<string> {
  const server = spawn('npx', ['vite', '--host', '127.0.0.1', '--port', '0'], { cwd, env: { ...env, NO_COLOR: '1' }, detached: true })
  onTestFinished(() => void process.kill(-(server.pid as number)))
  return new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (text: Buffer) => {
        output += text
        const [address] = /http:\/\/127\.0\.0\.1:\d+\//.exec(output) ?? []
        if (address) resolve(address)
      })
    server.once('exit', () => reject(new Error(`Vite ended: ${output}`)))
  })
}

test('the page works from an empty folder, with the packed package and Vite', { timeout: 600_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolport-page-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  expect(commands).toContain(TARBALL)
  await promisify(execFile)('sh', ['-ec', commands.replace(TARBALL, packed().tarball)], { cwd: folder, env })
  await writeFile(join(folder, 'index.html'), html)
  await writeFile(join(folder, 'main.ts'), program)
  const address = await serve(folder)
  // While Vite still discovers the packages of a page, it may reload the page.
  const first = await (await newContext()).newPage()
  await first.goto(address, { waitUntil: 'networkidle' })
  await useOwnPage(address)
})
