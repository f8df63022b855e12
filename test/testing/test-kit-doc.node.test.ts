// @module-tag test-kit
// @module-tag testing
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'

const folder = fileURLToPath(new URL('../../.cache/test-kit/', import.meta.url))
await mkdir(folder, { recursive: true })

/** Runs every example of these pages as a test file, unchanged. */
for (const name of ['test-kit', 'own-adapters']) {
  const page = await readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
  for (const [index, [, code]] of [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].entries()) {
    const file = `${folder}${name}-${index}.ts`
    await writeFile(file, code as string)
    describe(`example ${index + 1} of docs/${name}.md`, async () => {
      await import(/* @vite-ignore */ `${file}?${Date.now()}`)
    })
  }
}
