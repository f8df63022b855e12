// @module-tag node-shell
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShellResult } from 'toolport'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { cleanUp, freshRoot, isRunning, pidsIn, rejection, root, shellOf } from './node-shell-fixture.js'

beforeEach(freshRoot)
afterEach(cleanUp)

/** Expects that all processes end soon, although none ends by itself. On a busy machine, a killed process takes a while to end. */
async function expectNobody(result: ShellResult, count: number): Promise<void> {
  const pids = pidsIn(result.stdout)
  expect(pids).toHaveLength(count)
  await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), 30_000)
}

const ENDLESS = [
  ['a tight loop', 'echo $$; while :; do :; done', 1],
  ['a program', 'echo $$; sleep 1000', 1],
  ['a program and a background process', 'echo $$; sleep 1000 & echo $!; sleep 1000', 2],
  ['a shell that ignores TERM', `echo $$; trap '' TERM; while :; do sleep 1; done`, 1],
  [
    'a program that ignores TERM, in a shell that does not',
    `sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' & echo $$; sleep 1000`,
    2,
  ],
  ['a pipeline that waits for input', 'echo $$; sleep 1000 | cat', 1],
  ['an EXIT trap that hangs', 'echo $$; trap "sleep 1000" EXIT; sleep 1000', 1],
  ['a shell that has stopped itself', 'echo $$; kill -STOP $$; sleep 1000', 1],
] as const

describe('a timeout', () => {
  it.each(ENDLESS)('ends %s and keeps the output', async (_, command, count) => {
    const result = await withGrowingTime(
      (timeoutMs) => shellOf().exec(command, { timeoutMs, env: { A: '1' } }),
      ({ stdout }) => pidsIn(stdout).length === count,
    )
    expect(result).toMatchObject({ exitCode: null, timedOut: true, aborted: false, cwd: root, env: { A: '1' } })
    await expectNobody(result, count)
  })

  it('answers although a process outside the group holds the pipe open', async () => {
    const result = await shellOf().exec('setsid sh -c "echo \\$\\$; exec sleep 1000" & sleep 1000', { timeoutMs: 500 })
    const [pid] = pidsIn(result.stdout)
    expect(result.timedOut).toBe(true)
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  })

  it('above the maximum of setTimeout does not fire at once', async () => {
    for (const timeoutMs of [2 ** 31, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
      expect(await shellOf().exec('sleep 0.05; echo done', { timeoutMs })).toMatchObject({ exitCode: 0, stdout: 'done\n', timedOut: false })
    }
  })

  it('a timeout of 0 fires at once', async () => {
    expect(await shellOf().exec('sleep 1000', { timeoutMs: 0 })).toMatchObject({ exitCode: null, timedOut: true, aborted: false })
  })
})

describe('an abort', () => {
  it.each(ENDLESS)('ends %s and keeps the output', async (_, command, count) => {
    const controller = new AbortController()
    let lines = 0
    const result = await shellOf().exec(command, {
      signal: controller.signal,
      onOutput({ text }) {
        lines += text.split('\n').length - 1
        if (lines === count) controller.abort()
      },
    })
    expect(result).toMatchObject({ exitCode: null, timedOut: false, aborted: true, cwd: root })
    await expectNobody(result, count)
  })
})

describe('no process is left after', () => {
  it.each([
    ['an orphaned grandchild', '(sleep 1000 & echo $!); echo hi'],
    ['an orphaned grandchild without output', '(sleep 1000 >/dev/null 2>&1 & echo $!); echo hi'],
    ['nohup', 'nohup sleep 1000 & echo $!; echo hi'],
    ['disown', 'sleep 1000 & echo $!; disown; echo hi'],
    ['a background process that ignores TERM', `sh -c 'trap "" TERM; while :; do sleep 1; done' & echo $!; echo hi; sleep 0.2`],
    ['a background process that keeps writing', 'yes & echo $!; echo hi'],
  ])('%s', async (_, command) => {
    const result = await shellOf().exec(`${command} 2>&1; cd /; exit 3`, { maxBytes: 100_000_000 })
    expect(result).toMatchObject({ exitCode: 3, timedOut: false, aborted: false, cwd: '/' })
    expect(result.stdout).toContain('hi\n')
    await expectNobody(result, 1)
  })

  it('the shell was ended by an external signal', async () => {
    const result = await shellOf().exec('sleep 1000 & echo $!; kill -TERM $$; sleep 1000')
    expect(result).toMatchObject({ exitCode: 143, aborted: false, timedOut: false })
    await expectNobody(result, 1)
  })

  it('output of a background process shortly after the end is kept', async () => {
    expect(await shellOf().exec('(sleep 0.01; echo late) & echo first')).toMatchObject({
      stdout: expect.stringMatching(/^first\n(late\n)?$/),
    })
  })
})

describe('processes that a command left behind', () => {
  it('lose their last output', async () => {
    const untilReady = 'until [ -e ready ]; do sleep 0.05; done'
    const left = `(trap "echo late; exit" TERM; echo ready; > ready; while :; do sleep 0.05; done) & ${untilReady}; echo hi`
    expect(await shellOf().exec(left)).toMatchObject({ exitCode: 0, stdout: 'ready\nhi\n', truncated: false })
  })

  it('deliver only a limited flood of output', async () => {
    const flood = `sh -c 'while kill -0 $0 2>/dev/null; do sleep 0.01; done; exec yes' $$ & echo hi`
    const { exitCode, stdout } = await shellOf().exec(flood, { maxBytes: 100_000_000 })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^hi\n/)
    expect(stdout.length).toBeLessThanOrEqual(3 + 1024 * 1024)
  })
})

describe('close', () => {
  it('ends running commands, waits for them, and rejects later ones', async () => {
    const shell = shellOf()
    let printed = (): void => {}
    const started = new Promise<void>((resolve) => (printed = resolve))
    const running = shell.exec('echo $$ > pid; echo $$; sleep 1000', { onOutput: () => printed() })
    await started
    await shell.close?.()
    expect(isRunning(Number(readFileSync(join(root, 'pid'), 'utf8')))).toBe(false)
    const result = await running
    expect(result).toMatchObject({ exitCode: null, aborted: true, timedOut: false })
    await expectNobody(result, 1)
    expect(await rejection(shell.exec('echo hi'))).toMatchObject({ name: 'ShellError', code: 'unavailable' })
    await shell.close?.()
  })

  it('happens at the exit of the process', async () => {
    const before = process.listeners('exit')
    const shell = shellOf()
    let pid = 0
    let added: unknown[] = []
    const result = await shell.exec('echo $$; sleep 1000', {
      onOutput({ text }) {
        pid = Number(text)
        added = process.listeners('exit').filter((listener) => !before.includes(listener))
        for (const listener of added) (listener as () => void)()
      },
    })
    expect(added).toHaveLength(1)
    expect(result).toMatchObject({ exitCode: 137 })
    expect(isRunning(pid)).toBe(false)
    expect(process.listeners('exit')).toEqual(before)
  })
})
