// @module-tag package
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { patched, readPatches, tokensOf } from '../../scripts/patches.mjs'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const FOLDER = 'adapters/just-bash/patches'

it('the patches of just-bash apply when the minifier chooses other names', () => {
  const library = readFileSync(at('node_modules/just-bash/dist/bundle/browser.js'), 'utf8')
  const names = JSON.parse(readFileSync(at(`${FOLDER}/names.json`), 'utf8'))
  const files = readdirSync(at(FOLDER)).filter((name) => name.endsWith('.patch'))
  const patches = files.flatMap((name) => readPatches(readFileSync(at(`${FOLDER}/${name}`), 'utf8')))
  const renamed = withOtherNames(library)
  expect(renamed).not.toBe(library)
  expect(patched(renamed, patches, names)).toBe(withOtherNames(patched(library, patches, names)))
})

/** Replaces each short name by another name of the same length. */
function withOtherNames(code: string) {
  const short = (token: { name: boolean; value: string }) => token.name && token.value.length <= 3
  const tokens = tokensOf(code)
  const used = [...new Set(tokens.filter(short).map(({ value }) => value))].sort()
  const other = new Map(used.map((name, index) => [name, used[(index + 7) % used.length]]))
  let at = 0
  let result = ''
  for (const token of tokens) {
    result += code.slice(at, token.start) + (short(token) ? other.get(token.value) : code.slice(token.start, token.end))
    at = token.end
  }
  return result + code.slice(at)
}
