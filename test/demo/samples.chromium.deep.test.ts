// @module-tag playground
import '../../demo/src/styles/index.css'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ORDERS_SOLUTION } from './orders-solution.js'
import { openSample, shown, useSamplesPage } from './samples-page.js'

useSamplesPage()

interface Ran {
  readonly stdout: string
  readonly exit_code: number
}

const call = <T>(tool: string, input: object): Promise<T> => shown.playground.session.runtime.call(tool, input) as Promise<T>
const bash = (command: string): Promise<Ran> => call('bash', { command })
const read = async (path: string): Promise<string> => (await shown.playground.session.workspace.readText(path)).text

/** The commands in the README's console blocks, with the output of each. */
async function documented(): Promise<readonly { readonly command: string; readonly output: string }[]> {
  const blocks = [...(await read('README.md')).matchAll(/```console\n(.*?)```/gs)].map(([, block = '']) => block)
  const parts = blocks.flatMap((block) => block.split(/^\$ /m).slice(1))
  return parts.map((part) => {
    const [command = '', ...output] = part.split('\n')
    return { command, output: output.join('\n') }
  })
}

async function runsAsDocumented(): Promise<number> {
  const steps = await documented()
  for (const { command, output } of steps) expect({ command, output: (await bash(command)).stdout }).toEqual({ command, output })
  return steps.length
}

test('a sample opened on a phone shows its README', async () => {
  await page.viewport(390, 844)
  await page.getByRole('radiogroup', { name: 'Pane' }).getByText('Agent', { exact: true }).click()
  await openSample('A TypeScript library with tests')
  await expect.element(page.getByRole('tab', { name: 'README.md' })).toBeVisible()
  await expect.poll(() => shown.find('.panes').dataset.pane).toBe('view')
})

describe('the TypeScript library', () => {
  beforeEach(() => openSample('A TypeScript library with tests'))

  test('shows its README first, with what to do', async () => {
    await expect.element(page.getByRole('tab', { name: 'README.md' })).toBeVisible()
    await expect.poll(() => shown.find('.notice').textContent).toContain('README.md says what can be done with it.')
  })

  test('prints what its README shows, also when it is broken, and its tests pass again after a revert', async () => {
    expect(await runsAsDocumented()).toBe(4)
    const broken = await bash('node test/run.ts')
    expect(broken.exit_code).toBe(1)
    expect(broken.stdout).toMatch(/^FAIL {2}reads "1h 30m"\n {6}expected 5400000, got 5490000$/m)
    await shown.playground.session.startOver()
    const [{ output } = { output: '' }] = await documented()
    expect(await bash('node test/run.ts')).toMatchObject({ stdout: output, exit_code: 0 })
  })

  test('can be tested by run_js_module', async () => {
    const [{ output } = { output: '' }] = await documented()
    expect(await call<Ran>('run_js_module', { module: 'test/run.ts' })).toMatchObject({ stdout: output, exit_code: 0 })
  })
})

describe('the data-cleaning task', () => {
  beforeEach(() => openSample('A data-cleaning task'))

  test('prints what its README shows, and its check fails until the task is solved', async () => {
    expect(await runsAsDocumented()).toBe(2)
    expect((await bash('node check.js')).exit_code).toBe(1)
    await shown.playground.session.startOver()
    expect(await bash('node check.js')).toMatchObject({ exit_code: 1 })
  })

  test('can be solved as its README says', async () => {
    await call('write_file', { path: 'clean.js', content: ORDERS_SOLUTION })
    expect((await bash('node clean.js')).stdout).toBe('36 rows: 25 orders, 9 rejected\n')
    const { stdout, exit_code } = await bash('node check.js')
    expect(stdout).not.toContain('FAIL')
    expect(stdout).toMatch(/All 11 checks hold\.\n$/)
    expect(exit_code).toBe(0)
  })
})

describe('Toolport’s sources', () => {
  test('can be searched, and their example runs', async () => {
    await openSample('Toolport’s sources')
    await expect.element(page.getByRole('tab', { name: 'lines.js' })).toBeVisible()
    expect((await bash('node examples/lines.js')).stdout).toMatch(/^\d+ files, \d+ lines\n/)
    expect(await call<{ total: number }>('grep', { pattern: 'export function createRuntime', output: 'files' })).toMatchObject({
      truncated: false,
    })
  })
})
