// @module-tag test-kit
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'

const page = await readFile(new URL('../../docs/test-kit.md', import.meta.url), 'utf8')
const folder = fileURLToPath(new URL('../../.cache/test-kit/', import.meta.url))
await mkdir(folder, { recursive: true })

/** Every example of the page is a test file as it stands. */
for (const [index, [, code]] of [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].entries()) {
  const file = `${folder}${index}.ts`
  await writeFile(file, code as string)
  describe(`example ${index + 1} of docs/test-kit.md`, async () => {
    await import(/* @vite-ignore */ `${file}?${Date.now()}`)
  })
}
