// @module-tag node-shell
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type ShellSpawnOptions, systemHost } from 'toolport'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSessions } from '../../src/sessions/index.js'
import { cleanUp, freshRoot, root, shellOf } from './node-shell-fixture.js'

beforeEach(freshRoot)
afterEach(cleanUp)

setFlagsFromString('--expose-gc')
const gc: () => void = runInNewContext('gc')

/** Bytes that are used after a garbage collection. */
async function held(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    gc()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

it.each<[string, number, ShellSpawnOptions]>([
  ['a gigabyte on pipes', 1_000_000_000, {}],
  ['100 MB on a terminal', 100_000_000, { terminal: { cols: 80, rows: 24 } }],
])(
  '%s leaves little in memory, and other sessions answer meanwhile',
  async (_, bytes, kind) => {
    const shell = shellOf()
    const sessions = createSessions(systemHost)
    const start = (name: string, command: string) =>
      sessions.start({
        kind: 'bash',
        name,
        command,
        cwd: root,
        spawn: (io) => shell.spawn?.(command, { ...kind, ...io }) ?? Promise.reject(),
      })
    try {
      const echo = await start('echo', '[ -t 0 ] && stty -echo; echo ready; while read -r line; do echo "<$line>"; done')
      while (!echo.read().stdout.text.includes('ready')) await echo.wait(1000)
      const before = await held()
      const flood = await start('flood', `yes | head -c ${bytes}; echo end`)
      let answers = 0
      while (flood.info.state === 'running') {
        await echo.write(`line ${answers}\n`)
        for (let told = ''; !told.includes(`<line ${answers}>`); ) {
          await echo.wait(1000)
          told += echo.read().stdout.text
        }
        answers++
      }
      expect(answers).toBeGreaterThan(10)
      expect(flood.info).toMatchObject({ state: 'exited', exitCode: 0 })
      expect((await held()) - before).toBeLessThan(5 * 1024 * 1024)
      let last = ''
      for (let read = flood.read({ maxChars: 300_000 }).stdout; read.text !== ''; read = flood.read({ maxChars: 300_000 }).stdout)
        last = read.text
      expect(last.slice(-8)).toMatch(/y\nend\n$/)
    } finally {
      await sessions.dispose()
    }
  },
  300_000,
)

it('a command that prints a gigabyte is drained, and its result is limited', async () => {
  const result = await shellOf().exec("yes '0123456' | head -c 1000000000; exit 3", { maxBytes: 10_000 })
  expect(result).toMatchObject({ exitCode: 3, truncated: true })
  expect(result.stdout).toMatch(/\n\[\.\.\. 99999\d{4} bytes left out \.\.\.\]\n/)
}, 300_000)
