import { afterEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PackageSource } from '../../demo/src/packages/registry.js'
import { type Answer, network, REGISTRY } from '../packages/install-support.js'
import { openPage, type TestPage } from './page.js'

export const FILES = { 'main.js': "import { nanoid } from 'nanoid'\nconsole.log(nanoid().length)\n" }
export let shown: TestPage | undefined

/** A registry with the recorded packages. `answers` take precedence. */
export function source(answers: Readonly<Record<string, Answer>> = {}, missing?: string): PackageSource {
  return { registry: REGISTRY, fetch: network(answers).fetch, missing: async () => missing }
}

export async function open(packages?: PackageSource, files: Readonly<Record<string, string>> = FILES): Promise<TestPage> {
  shown = await openPage({ files, ...(packages && { packages }) })
  const { root } = shown
  await page.getByRole('tab', { name: 'Packages' }).click()
  // The panel is loaded when it is first shown.
  await expect.poll(() => root.querySelector('.packages-panel')).not.toBeNull()
  return shown
}

export const field = () => page.getByLabelText('Install from the registry')
export const status = (): string => shown?.find('.packages-status').textContent ?? ''
export const problem = (): string => shown?.find('.packages-problem').textContent ?? ''
export const list = (): string[] =>
  [...(shown?.root.querySelectorAll('.package') ?? [])].map((row) =>
    [...row.querySelectorAll('span')].map((one) => one.textContent).join(' '),
  )

export async function install(names: string): Promise<void> {
  await field().fill(names)
  await userEvent.keyboard('{Enter}')
}

/** Registers hooks that close the page after each test. */
export function usePackagesPage(): void {
  afterEach(async () => {
    await shown?.close()
    shown = undefined
  })
}
