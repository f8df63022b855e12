import { type CreateRuntimeOptions, customTools, loadCustomTools, type Preset, type ToolRuntime } from 'toolport'
import { loaf } from 'toolport/presets/loaf'
import { loom } from 'toolport/presets/loom'
import { loomElixir } from 'toolport/presets/loom-elixir'
import { standard } from 'toolport/presets/standard'
import { zeroclaw } from 'toolport/presets/zeroclaw'
import { expect } from 'vitest'

type Options = Pick<CreateRuntimeOptions, 'preset' | 'tools' | 'policy'> & { readonly customTools?: { readonly directory: string } | false }

/** Opens a runtime of the entry with its own engine. All runtimes of a test use the same storage, so only one may be open at a time. */
export type Open = (options?: Options) => ToolRuntime

export type EntryTest = (title: string, body: (open: Open) => Promise<void>) => void

const PRESETS: readonly (() => Preset)[] = [standard, loom, loaf, loomElixir, zeroclaw]
const ADD = {
  name: 'add',
  description: 'Adds two numbers.',
  handler_code: 'return { sum: input.a + input.b }',
  args_schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
}

const names = (runtime: ToolRuntime): readonly string[] => runtime.getModelManifest().map(({ name }) => name)

/** Test cases for JavaScript through an entry. */
export function entryJsCases(test: EntryTest): void {
  test('runs a program on its workspace', async (open) => {
    const runtime = open()
    await runtime.call('write_file', { path: 'n.json', content: '20' })
    const code = `import n from './n.json' with { type: 'json' }
import { writeFileSync } from 'node:fs'
writeFileSync('out.txt', 'from a program')
console.log('printed')
export default n + 1`
    expect(await runtime.call('run_js', { code })).toMatchObject({ exit_code: 0, stdout: 'printed\n', result: 21 })
    expect(await runtime.workspace.readText('out.txt')).toMatchObject({ text: 'from a program' })
    await runtime.dispose()
  })

  test('ends a program at its timeout, and runs the next', async (open) => {
    const runtime = open()
    const result = await runtime.call('run_js', { code: `console.log('before'); for (;;) {}`, timeout_ms: 300 })
    expect(result).toMatchObject({ exit_code: null, timed_out: true })
    expect(await runtime.call('run_js', { code: 'export default 1 + 1' })).toMatchObject({ exit_code: 0, result: 2 })
    await runtime.dispose()
  })

  test('programs cannot write in a read-only workspace', async (open) => {
    const runtime = open({ policy: { readOnly: true } })
    const code = `import { writeFileSync } from 'node:fs'
try { writeFileSync('x', '') } catch (error) { console.log(error.code) }`
    expect(await runtime.call('run_js', { code })).toMatchObject({ stdout: 'EROFS\n' })
    await runtime.dispose()
  })

  for (const make of PRESETS) {
    const preset = make()
    const tools = preset.tools.some(({ name }) => name === 'create_persistent_tool') ? [] : customTools()
    test(`a tool created with ${preset.name} works, and is in its manifest at once and after a restart`, async (open) => {
      const first = open({ preset, tools })
      expect(names(first)).not.toContain('add')
      expect(await first.execute({ name: 'create_persistent_tool', input: ADD })).toMatchObject({ ok: true })
      expect(first.getModelManifest().find(({ name }) => name === 'add')?.inputSchema).toEqual(ADD.args_schema)
      expect(await first.execute({ name: 'add', input: { a: 1, b: 2 } })).toMatchObject({ ok: true, output: { sum: 3 } })
      await first.dispose()
      const second = open({ preset, tools })
      expect(names(second)).not.toContain('add')
      expect(await loadCustomTools(second)).toMatchObject({ loaded: [{ name: 'add' }], errors: [] })
      expect(second.getModelManifest().find(({ name }) => name === 'add')?.inputSchema).toEqual(ADD.args_schema)
      expect(await second.execute({ name: 'add', input: { a: 2, b: 2 } })).toMatchObject({ ok: true, output: { sum: 4 } })
      await second.dispose()
    })
  }

  test('keeps custom tools in the given directory, or has none', async (open) => {
    const first = open({ customTools: { directory: 'own/tools' } })
    expect(await first.call('create_persistent_tool', ADD)).toMatchObject({ path: first.workspace.resolve('own/tools/add.mjs') })
    await first.dispose()
    const second = open({ customTools: false })
    expect(names(second)).toContain('run_js')
    expect(names(second)).not.toContain('create_persistent_tool')
    expect(await loadCustomTools(second, { directories: ['own/tools'] })).toMatchObject({ loaded: [{ name: 'add' }] })
    await second.dispose()
  })
}

/** Test cases for the virtual shell of an entry. */
export function entryShellCases(test: EntryTest): void {
  test('runs programs from the shell on the same files', async (open) => {
    const runtime = open()
    await runtime.call('write_file', { path: 'src/n.mjs', content: 'export default 6\n' })
    const command = `cd src; node -e 'console.log("six" + 1)' > out.txt; js n.mjs; cat out.txt; node -e 'process.exit(3)'`
    expect(await runtime.call('bash', { command })).toMatchObject({ exit_code: 3, stdout: '6\nsix1\n' })
    await runtime.dispose()
  })
}
