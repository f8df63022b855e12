// @module-tag cli
// @module-tag test-kit
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ended, sharedCli, startCli } from './cli-support.js'

const toolport = sharedCli()
const kit = new URL('../../dist/lib/testing.js', import.meta.url).href
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolport-eval-'))
  await writeFile(
    join(root, 'ports.mjs'),
    `import { assertions, scriptedModel } from '${kit}'
     const edit = { name: 'edit_file', input: { path: 'a.ts', edits: [{ old_string: '80', new_string: '8080' }] } }
     const task = { files: { 'a.ts': 'const port = 80\\n' }, prompt: 'Set the port to 8080.' }
     export default ({ env, cwd }) => ({
       cases: [
         { ...task, name: 'edits', score: (run) => assertions.toHaveChanged(run, { 'a.ts': /8080/ }) },
         { ...task, name: 'only \\u001b[31mtalks', score: (run) => assertions.toHaveCalled(run, 'edit_file') },
       ],
       model: ({ name }) => scriptedModel(name === 'edits' ? [edit, env.WORDS ?? 'Done.'] : ['I would rather not.']),
     })`,
  )
  await writeFile(
    join(root, 'hangs.mjs'),
    `export default {
       cases: [{ name: 'quick', prompt: 'a' }, { name: 'hangs', prompt: 'b' }],
       agent: ({ case: { name } }) => name === 'quick' ? '' : new Promise(() => setInterval(() => {}, 1000)),
       score: () => true,
     }`,
  )
})

afterAll(() => rm(root, { recursive: true }))

it('toolport eval runs the cases of a module and prints a table', async () => {
  const { code, stdout, stderr } = await toolport(root, ['eval', 'ports.mjs', '--parallel', '1'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^\| edits +\| model \| passed +\| +1 \| +2 \| +1 \| +0 \| +0 \| +\d+\.\d s \|$/m)
  expect(stdout).toMatch(/^\| only ⟨U\+001B⟩\[31mtalks +\| model \| failed +\| +0 \| +1 \| +0 /m)
  expect(stdout).toContain('- model: 1 of 2 passed\n')
  expect(stdout).toContain('talks (model): Expected a call of edit_file. The calls were:\n    no call\n')
  expect(stderr).toMatch(/^passed {2}edits \(model\), \d+\.\d s\nfailed {2}only ⟨U\+001B⟩\[31mtalks \(model\)/)
})

it('toolport eval exits with 0 if all selected cases pass, and prints JSON', async () => {
  const { code, stdout, stderr } = await toolport(root, ['eval', 'ports.mjs', '--filter', 'edit', '--json'])
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({ total: 1, passed: 1, results: [{ case: 'edits', status: 'passed', steps: 2 }] })
})

it('toolport eval prints the table on an interrupt', async () => {
  const child = startCli(root, ['eval', 'hangs.mjs'])
  const end = ended(child)
  await once(child.stderr, 'data')
  child.kill('SIGINT')
  const { code, stdout } = await end
  expect(code).toBe(130)
  expect(stdout).toMatch(/\| quick \| model \| passed/)
  expect(stdout).toMatch(/\| hangs \| model \| aborted/)
})

it('toolport eval exits with 2 for an invalid module or option', async () => {
  await writeFile(join(root, 'none.mjs'), 'export default {}')
  await writeFile(join(root, 'named.mjs'), 'export const cases = []')
  await writeFile(join(root, 'throws.mjs'), '\nthrow new Error("no key")')
  await writeFile(join(root, 'unscored.mjs'), 'export default { cases: [{ name: "a", prompt: "b" }], agent: () => {} }')
  for (const [operands, words] of [
    [[], '"eval" needs a module that exports the options of "evaluate"'],
    [['missing.mjs'], 'missing.mjs: there is no such file'],
    [['none.mjs'], 'none.mjs: its default export needs "cases", a list of cases'],
    [['named.mjs'], 'named.mjs: it has no default export: export the options of "evaluate", or a function that returns them'],
    [['throws.mjs'], 'throws.mjs: it threw Error: no key (line 2)'],
    [['unscored.mjs'], 'unscored.mjs: evaluate needs a score for the case "a", or one for all cases'],
    [['hangs.mjs', '--filter', 'x'], 'hangs.mjs: no case has "x" in its name. The cases are: quick, hangs'],
    [['hangs.mjs', '--root', '.'], '--root is not for "eval": set it in the module'],
    [['hangs.mjs', '--bail'], '--bail is'],
  ] as const) {
    const { code, stderr } = await toolport(root, ['eval', ...operands])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  }
  expect((await toolport(root, ['tools', '--filter', 'x'])).stderr).toContain('--filter is for "eval"')
})

it('toolport eval exits even if the module keeps handles open or nobody reads the output', async () => {
  await writeFile(
    join(root, 'open.mjs'),
    `setInterval(() => {}, 1000)
     export default { cases: [{ name: 'quick', prompt: 'a' }], agent: () => '', score: () => true }`,
  )
  const child = startCli(root, ['eval', 'open.mjs'])
  child.stderr.destroy()
  const { code, stdout } = await ended(child)
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 of 1 passed')])
})
