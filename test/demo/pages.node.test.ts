// @module-tag playground
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const pageOf = (name: string): Promise<string> => readFile(new URL(`../../demo/${name}`, import.meta.url), 'utf8')

test('webcontainer.html equals index.html except its title and the allowed frame', async () => {
  const other = (await pageOf('index.html'))
    .replace('<meta charset="utf-8" />\n', '$&    <!-- Like index.html, but also allows frames of the site that runs WebContainers. -->\n')
    .replace("frame-src 'self'", "frame-src 'self' https://stackblitz.com")
    .replace('</title>', ' with WebContainer</title>')
  expect(await pageOf('webcontainer.html')).toBe(other)
})
