// @module-tag custom-tools
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CreateRuntimeOptions, loadCustomTools } from 'toolport'
import { createNodeJs } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { ADD, cleanUp, freshRoot, open as openOver, put, root, T } from './custom-node-fixture.js'
import type { Bench } from './harness.js'

// Tests programs in a Node process with a directory. custom-cases.ts has the cases for every sandbox.

beforeEach(freshRoot)
afterEach(cleanUp)

const open = (given: Partial<CreateRuntimeOptions> = {}): Bench => openOver({}, { js: createNodeJs(), ...given })

describe('custom tools over a process of Node', () => {
  it('have the Node API, their input and grants, and run in the workspace', async () => {
    put({
      'a.mjs': `import { execPath } from 'node:process'
import { writeFile } from 'node:fs/promises'
export const name = 'a'
export async function run(input, { now, log, signal }) {
  log('one', 2)
  console.error('three')
  await writeFile('out.txt', 'x')
  return [input, now.getTime() > 0, signal.aborted, execPath === process.execPath, typeof fetch, process.cwd()]
}`,
      'b-émoji 😀.mjs': `export const name = 'b'; export const run = () => 'here'`,
    })
    const { runtime, ok } = open()
    const told: string[] = []
    runtime.on((event) => void (event.type === 'log' && told.push(event.message)))
    expect(await loadCustomTools(runtime)).toMatchObject({ loaded: [{ name: 'a' }, { name: 'b' }], errors: [] })
    const input = { text: 'ä "quoted" \u2028 $ {x} \\ ` </script>' }
    expect(await ok('a', input)).toEqual([input, true, false, true, 'function', root])
    expect(await ok('b')).toBe('here')
    expect(told).toEqual(expect.arrayContaining(['one 2', 'three']))
    expect(readdirSync(root).sort()).toEqual(['.toolport', 'out.txt'])
  })

  it('custom tools that fail do not affect others', async () => {
    put({
      'b-exit.mjs': 'process.exit(3)',
      'c-broken.mjs': 'export const = 3',
      'd-missing.mjs': `import 'nowhere'`,
      'e.mjs': `export const name = 'e'
export const run = ({ how }) => {
  if (how === 'exits') process.exit(4)
  if (how === 'kills') process.kill(process.pid, 'SIGKILL')
  if (how === 'floats') { Promise.reject(new Error('floating')); return new Promise((resolve) => setTimeout(resolve, 1000, 'late')) }
  return import('./not-there.mjs')
}`,
    })
    const { runtime, fail } = open()
    const { loaded, errors } = await loadCustomTools(runtime)
    expect(loaded).toEqual([{ name: 'e', sourcePath: `${T}/e.mjs` }])
    expect(errors).toEqual([
      `failed loading ${T}/b-exit.mjs: it ended without a result (exit code 3)`,
      expect.stringMatching(/^failed loading \/workspace\/.*c-broken\.mjs: Unexpected token '='/),
      expect.stringMatching(
        /^failed loading .*d-missing\.mjs: Cannot find package 'nowhere' imported from \/workspace\/\.toolport\/tools\/d-missing\.mjs/,
      ),
    ])
    const failures = [
      ['exits', /^Cannot finish "e": it ended without a result \(exit code 4\)$/],
      ['kills', /^Cannot finish "e": it ended without a result \(exit code 137\)$/],
      ['floats', /^Cannot finish "e": it ended without a result \(exit code 1\): Error: floating$/],
      ['misses', /^Cannot find module '\/workspace\/\.toolport\/tools\/not-there\.mjs' imported from \/workspace/],
    ] as const
    for (const [how, message] of failures) {
      const failed = await fail('e', { how })
      expect(failed.output).toMatchObject({ code: 'tool_threw' })
      expect(failed.error).toMatch(message)
      expect(JSON.stringify(failed)).not.toContain(root)
    }
  })

  it('custom tools that do not end are stopped', async () => {
    put({ 'a.mjs': 'for (;;) {}', 'b.mjs': `export const name = 'b'; export const run = () => { for (;;) {} }` })
    const { runtime, fail } = open()
    // On a busy machine, loading the second file may take longer than a second.
    const report = await withGrowingTime(
      (timeoutMs) => loadCustomTools(runtime, { timeoutMs }),
      ({ loaded }) => loaded.length === 1,
    )
    expect(report).toMatchObject({
      loaded: [{ name: 'b' }],
      errors: [expect.stringMatching(/^failed loading .*\/a\.mjs: it did not end within \d+ ms/)],
    })
    expect(await fail('b')).toMatchObject({
      output: { code: 'timeout' },
      error: expect.stringMatching(/^Cannot finish "b": it did not end within \d+ ms/),
    })
  })

  it('are created, replaced and kept by create_persistent_tool, or discarded', async () => {
    const first = open()
    const broken = await first.fail('create_persistent_tool', { ...ADD, handler_code: 'return (' })
    expect(broken.error).toContain('the tool does not load, so nothing was saved')
    expect(JSON.stringify(broken)).not.toContain(root)
    expect(existsSync(join(root, '.toolport'))).toBe(false)
    expect(await first.ok('create_persistent_tool', ADD)).toMatchObject({ status: 'ok', path: `${T}/add.mjs` })
    expect(await first.ok('add', { a: 1, b: 2 })).toEqual({ sum: 3 })
    await first.ok('create_persistent_tool', {
      ...ADD,
      handler_code: 'return require("node:os").EOL',
      filename: 'add.cjs',
      overwrite: true,
    })
    expect(await first.ok('add')).toBe('\n')
    expect(readdirSync(join(root, '.toolport/tools'))).toEqual(['add.cjs'])
    const second = open()
    expect(await loadCustomTools(second.runtime)).toMatchObject({ loaded: [{ name: 'add' }], errors: [] })
    expect(await second.ok('add')).toBe('\n')
  })

  it('are rejected if Node could exceed the grants', async () => {
    put({ 'a.mjs': `export const name = 'a'; export const run = () => 1` })
    const why = 'programs of the JavaScript adapter "node" can write anywhere'
    expect((await loadCustomTools(open({ policy: { readOnly: true } }).runtime)).errors).toEqual([
      `failed loading ${T}/a.mjs: Cannot run the program: the workspace is read-only, and ${why}`,
    ])
    expect((await loadCustomTools(open().runtime, { grants: { fs: 'read' } })).errors).toEqual([
      `failed loading ${T}/a.mjs: Cannot run the program: it has no grant to write files, and ${why}`,
    ])
  })
})
