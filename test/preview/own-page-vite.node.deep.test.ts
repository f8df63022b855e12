// @module-tag preview
// Follows docs/preview.md in an empty folder: runs its commands with the packed package, and serves the page with Vite.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packed } from '../../scripts/packed.mjs'
import { newContext, useBrowser } from '../demo/visit.js'
import { folderAfter, serveWithNpx } from '../package/new-folder.js'
import { commands, html, program, useOwnPage } from './own-page-support.js'

useBrowser(async () => '')

const TARBALL = '../toolport/toolport-0.1.0.tgz'
const env = { PATH: process.env.PATH, HOME: process.env.HOME }

test('the page works from an empty folder, with the packed package and Vite', { timeout: 600_000 }, async () => {
  expect(commands).toContain(TARBALL)
  const { folder, problem, remove } = await folderAfter(commands.replace(TARBALL, packed().tarball), env)
  onTestFinished(remove)
  expect(problem).toBe('')
  await writeFile(join(folder, 'index.html'), html)
  await writeFile(join(folder, 'main.ts'), program)
  const address = await serveWithNpx(['vite', '--host', '127.0.0.1', '--port', '0'], folder, env)
  // While Vite still discovers the packages of a page, it may reload the page.
  const first = await (await newContext()).newPage()
  await first.goto(address, { waitUntil: 'networkidle' })
  await useOwnPage(address)
})
