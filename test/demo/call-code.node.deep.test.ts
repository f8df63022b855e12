// @module-tag playground
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { providerFormats } from '../../demo/src/code/provider-code.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { blocksOf, callOf, catching, DOUBLE, entryOf, INPUTS, ODD, PROGRAMS, programOf } from './call-code-parts.js'

const PROXY = { address: 'http://127.0.0.1:8787', services: ['exa'] } as const

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The declarations that the providers' loops expect. */
const GIVEN = `import type { ToolRuntime } from 'toolport'
declare const runtime: ToolRuntime
declare const client: any, model: any, max_tokens: number, prompt: string
declare const messages: unknown[], input: unknown[], contents: unknown[]
`

test('all code for calls compiles in strict mode', () => {
  const sources = new Map<string, string>()
  for (const [index, [preset, tool, input, files]] of PROGRAMS.entries()) {
    const { entry, requires } = entryOf(preset, tool)
    sources.set(`program-${index}.ts`, programOf(callOf(entry, input, { preset, requires, files })))
  }
  const { entry, requires } = entryOf('standard', 'install_js_packages')
  sources.set('install.ts', programOf(callOf(entry, { packages: ['left-pad'] }, { requires })))
  const own = callOf(entry, {}, { requires: ['js'], isOwn: true, files: { '.toolport/tools/double.mjs': DOUBLE } })
  sources.set('own.ts', programOf(own))
  for (const { name, searches } of presetChoices)
    for (const token of searches ? ['', 'YOUR_TOKEN'] : []) {
      const search = { origin: 'http://127.0.0.1:8787', options: searches?.options({ ...PROXY, token }) ?? {} }
      sources.set(`search-${name}-${token}.ts`, programOf(callOf(entry, { query: 'a' }, { preset: name, search })))
    }
  const odd = catching(ODD).runtime.getModelManifest()
  for (const { name } of providerFormats)
    for (const one of odd) {
      const code = blocksOf(name, callOf(one, INPUTS[1] ?? {})).filter(({ language }) => language === 'ts')
      for (const [index, { text }] of code.entries())
        sources.set(`${name.replace(' ', '-')}-${one.alias}-${index}.ts`, `${text}\n${GIVEN}export {}\n`)
    }
  expect(sources.size).toBeGreaterThan(30)
  expect(problemsOf(sources)).toEqual([])
})

/** Type errors of these programs, with the compiler settings of the tests. */
function problemsOf(sources: ReadonlyMap<string, string>): string[] {
  const folder = `${ROOT}.cache/call-code/`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of sources) writeFileSync(`${folder}${name}`, text)
  const settings = { extends: '../../test/tsconfig.json', include: ['.'], exclude: [], references: [] }
  // The name is not tsconfig.json, because Vite watches that name and would reload the pages of the tests.
  const project = `${folder}programs.json`
  writeFileSync(project, JSON.stringify(settings))
  const tsc = [`${ROOT}node_modules/typescript/bin/tsc`, '-p', project, '--pretty', 'false']
  const { status, stdout, stderr } = spawnSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' })
  expect({ status: status ?? 'killed', stderr }).toEqual({ status: expect.any(Number), stderr: '' })
  // The library is checked elsewhere, so skip errors of files outside the folder, and continuation lines.
  return stdout.split('\n').filter((line) => /^[^\s.]/.test(line))
}
