import { afterEach, beforeEach } from 'vitest'
import { page } from 'vitest/browser'
import { openPage, type TestPage } from './page.js'

export const FILES = {
  'main.js': [
    "import { add } from './lib/add.ts'",
    "import { writeFileSync } from 'node:fs'",
    "console.log('sum', add(1, 2), process.argv.slice(2))",
    "console.error('a warning')",
    "for await (const text of process.stdin) console.log('in: ' + text)",
    "writeFileSync('out.txt', 'written')",
    '',
  ].join('\n'),
  'lib/add.ts':
    "export function add(a: number, b: number): number {\n  if (typeof a !== 'number') throw new TypeError('no')\n  return a + b\n}\n",
  'fails.mjs': "import { add } from './lib/add.ts'\n\nadd('x')\n",
  'waits.mjs': "console.log('begun')\nawait new Promise(() => setInterval(() => {}, 1000))\n",
  'loops.cjs': "console.log('<img src=x onerror=hacked=1>')\nwhile (true) {}\n",
  'long.js': "for (let i = 0; i < 30000; i += 1) console.log('line ' + i + ' of many')\n",
  'value.js': 'export default { n: 1 }\n',
  'silent.js': 'const a = 1\n',
  'types.d.ts': 'export type A = 1\n',
  'README.md': '# Title\n',
}

export let shown: TestPage

export const runButton = () => page.getByRole('button', { name: 'Run this file' })
export const pill = (): string => shown.root.querySelector('.run-panel:not([hidden]) .pill')?.textContent ?? ''
export const output = (): string => shown.find('.run-output').textContent ?? ''
export const parts = (stream: string): string => shown.texts(`.run-output .is-${stream}`).join('')

export async function run(path: string): Promise<void> {
  await shown.playground.openFile(path)
  await runButton().click()
}

/** Registers hooks that open the page before each test and close it afterwards. */
export function useRunPage(): void {
  beforeEach(async () => {
    shown = await openPage({ files: FILES })
  })

  afterEach(() => shown.close())
}
