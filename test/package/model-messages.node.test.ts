// @module-tag package
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRuntime, type Preset, toModelText } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loaf } from 'toolport/presets/loaf'
import { loom } from 'toolport/presets/loom'
import { loomElixir } from 'toolport/presets/loom-elixir'
import { standard } from 'toolport/presets/standard'
import { zeroclaw } from 'toolport/presets/zeroclaw'
import { expect, it } from 'vitest'
import { lazyQuickJs } from '../../src/entries/shared/quickjs.js'

/** Settings of the program that runs the tools: options, flags, environment variables, factories. A model cannot change them. */
const SETTING =
  /\boptions? [`"]|\(option |(?:^|[\s(`"])--[a-z]{2}|\b[A-Z]{2,}_[A-Z_]{2,}\b|\b(?:create|configure)[A-Z]\w+|\b(?:Raise|Set) [`"]/

const PRESETS: Readonly<Record<string, () => Preset>> = {
  standard,
  loom: () => loom({ webSearch: { baseUrl: 'https://proxy.test' } }),
  loaf: () => loaf({ exa: { url: 'https://exa.test/' } }),
  'loom-elixir': () => loomElixir(),
  zeroclaw: () => zeroclaw(),
}

it.each(Object.keys(PRESETS))('error texts of %s name no host setting when an adapter or registry is missing', async (name) => {
  for (const ports of [{}, { js: lazyQuickJs({}), fetch: { name: 'none', fetch: () => Promise.reject(new Error('none')) } }]) {
    const runtime = createRuntime({ fs: createMemoryFs(), preset: (PRESETS[name] as () => Preset)(), ...ports })
    const named: string[] = []
    for (const tool of runtime.registry.list()) {
      const input = { packages: ['a'], query: 'q', code: '1', command: 'ls' }
      const known = Object.keys((runtime.registry.find(tool.name)?.validator.jsonSchema().properties ?? {}) as object)
      const result = await runtime.execute({
        name: tool.name,
        input: Object.fromEntries(Object.entries(input).filter(([key]) => known.includes(key))),
      })
      const text = toModelText(result)
      if (!result.ok && SETTING.test(text)) named.push(`${tool.name}: ${text}`)
    }
    await runtime.dispose()
    expect(named).toEqual([])
  }
})

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Code that runs before a model is involved, or whose messages only people read. */
const FOR_HOSTS = /^(?:src\/entries\/(?:cli|testing|mcp)\/|src\/core\/security\/programs\/)/
const AT_CONSTRUCTION = /required\(|new (?:Type|Range)Error|^\s*(?:\*|\/\/|\/\*\*)/

it('no other message names an option, except setup errors', () => {
  const found = ['src', 'adapters', 'demo/worker'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => file.endsWith('.ts') && !FOR_HOSTS.test(file))
      .flatMap((file) =>
        readFileSync(`${root}${file}`, 'utf8')
          .split('\n')
          .filter(
            (line) =>
              /(?:[Tt]he|its) option \\?"|\(option \\?"|[Rr]aise \\?"|Pass its|pass it as the/.test(line) && !AT_CONSTRUCTION.test(line),
          )
          .map((line) => `${file}: ${line.trim()}`),
      ),
  )
  // Except the second lines of `required(...)` calls that span several lines.
  expect(found.filter((line) => !line.includes('a storage for its private folders'))).toEqual([])
})
