// @module-tag test-kit
// @module-tag testing
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../.cache/test-kit/', import.meta.url))
await mkdir(folder, { recursive: true })

/** Runs every example of these pages as a test file, unchanged. */
for (const name of ['test-kit', 'writing-an-adapter']) {
  const page = await readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
  for (const [index, [, code]] of [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].entries()) {
    const file = `${folder}${name}-${index}.ts`
    await writeFile(file, code as string)
    describe(`example ${index + 1} of docs/${name}.md`, async () => {
      await import(/* @vite-ignore */ `${file}?${Date.now()}`)
    })
  }
}

it('the storage of docs/writing-an-adapter.md has less than 150 lines', async () => {
  const page = await readFile(new URL('../../docs/writing-an-adapter.md', import.meta.url), 'utf8')
  const [, storage = ''] = /^```ts\n([\s\S]*?)^```/m.exec(page) ?? []
  expect(storage).toContain('FsAdapter')
  expect(storage.trim().split('\n').length).toBeLessThan(150)
})
