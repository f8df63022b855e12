// @module-tag node-shell
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ShellSpawnOptions } from 'toolport'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Running, type SpawningShell, startSession } from '../contract/session/case.js'
import { cleanUp, freshRoot, isRunning, pidsIn, rejection, root, shellOf, workspaceOf } from './node-shell-fixture.js'

vi.setConfig({ testTimeout: 120_000 })

/** Directory for the temporary files of these tests. */
let temporary: string

beforeEach(() => {
  freshRoot()
  temporary = mkdtempSync(join(tmpdir(), 'temporary-'))
  vi.stubEnv('TMPDIR', temporary)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await cleanUp()
  rmSync(temporary, { recursive: true })
})

const SIZE = { cols: 80, rows: 24 }
const KINDS: readonly (readonly [string, ShellSpawnOptions])[] = [
  ['pipes', {}],
  ['a terminal', { terminal: SIZE }],
]

function start(command: string, options?: ShellSpawnOptions): Promise<Running> {
  const workspace = workspaceOf()
  return startSession({ shell: shellOf({}, workspace) as SpawningShell, workspace }, command, options)
}

async function expectNobody(pids: readonly number[], count: number): Promise<void> {
  expect(pids).toHaveLength(count)
  await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), 30_000)
}

const scratch = (): string[] => readdirSync(temporary).filter((name) => /^toolport-[0-9a-f]{8}-/.test(name))

describe.each(KINDS)('a session on %s', (_, kind) => {
  it('is checked like exec', async () => {
    const readOnly = shellOf({}, workspaceOf({ policy: { readOnly: true } }))
    expect(await rejection(readOnly.spawn?.('echo hi', kind) ?? Promise.resolve())).toMatchObject({ code: 'read_only' })
    const shell = shellOf()
    const refused = (command: string, options?: ShellSpawnOptions) =>
      rejection(shell.spawn?.(command, { ...kind, ...options }) ?? Promise.resolve())
    expect(await refused('echo a\0b')).toMatchObject({ name: 'InputError' })
    expect(await refused('echo', { env: { 'A=B': '' } })).toMatchObject({ name: 'InputError' })
    expect(await refused('echo', { cwd: 'nowhere' })).toMatchObject({ code: 'ENOENT' })
    expect(await refused('echo', { state: { of: 'bash', variables: ['x=1'], functions: [], options: [] } })).toMatchObject({
      name: 'InputError',
    })
    await shell.close?.()
    expect(await refused('echo')).toMatchObject({ name: 'ShellError', code: 'unavailable' })
  })

  it('buffers up to 1 MiB of unread input, and further writes fail', async () => {
    const running = await start('echo ready; exec sleep 1000', kind)
    await running.heard('ready')
    const line = `${'x'.repeat(1000)}\n`
    const waiting = Promise.allSettled([running.process.write(line.repeat(900)), running.process.write(line.repeat(100))])
    await expect(running.process.write(line.repeat(900))).rejects.toMatchObject({ name: 'ShellError', code: 'input_full' })
    await running.process.kill('SIGKILL')
    await running.ended()
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('ends with its jobs, which have process groups of their own', async () => {
    const running = await start('set -m; sleep 1000 & echo $!; (trap "" TERM HUP; sleep 1000) & echo $!; echo ready; read x', kind)
    await running.heard('ready')
    await running.process.kill('SIGKILL')
    await running.ended()
    await expectNobody(pidsIn(running.text().replaceAll('\r', '')), 2)
  })

  it('leaves no jobs behind when it ends by itself', async () => {
    const running = await start('set -m; sleep 1000 & echo $!; (trap "" TERM HUP; sleep 1000) & echo $!', kind)
    expect(await running.ended()).toEqual({ exitCode: 0 })
    await expectNobody(pidsIn(running.text().replaceAll('\r', '')), 2)
  })

  it('ends on close(), which waits for it', async () => {
    const shell = shellOf()
    const running = await startSession(
      { shell: shell as SpawningShell, workspace: workspaceOf() },
      `trap '' TERM; echo $$; while :; do sleep 0.1; done`,
      kind,
    )
    await running.heard('\n')
    await shell.close?.()
    expect(pidsIn(running.text().replaceAll('\r', '')).filter(isRunning)).toEqual([])
    expect(await running.ended()).toEqual({ exitCode: 137, signal: 'SIGKILL' })
  })

  it('runs a command above the argument size limit without leaving a file', async () => {
    const running = await start(`x=1\n${'# padding padding padding\n'.repeat(8000)}read line; echo "x=$x line=$line"`, kind)
    await running.process.write('input\n')
    expect(await running.ended()).toEqual({ exitCode: 0 })
    expect(running.text()).toContain('x=1 line=input')
    expect(scratch()).toEqual([])
  })

  it('delivers a megabyte of buffered input once the command reads', async () => {
    const running = await start('[ -t 0 ] && stty raw -echo; echo ready; read -r line; [ "$line" = go ] && wc -c', kind)
    await running.heard('ready')
    const text = `go\n${'0123456\n'.repeat(131_072)}`
    await running.process.write(text)
    if (running.process.closeInput) await running.process.closeInput()
    else await running.process.kill('SIGINT')
    await running.ended()
    if (running.process.closeInput) expect(running.text()).toContain('1048576')
  })

  it('rejects a write whose input was never read, when it ends', async () => {
    const running = await start('[ -t 0 ] && stty raw -echo; echo ready; sleep 1000', kind)
    await running.heard('ready')
    const writing = rejection(running.process.write('0123456\n'.repeat(131_072)))
    await running.process.kill('SIGKILL')
    expect(await writing).toMatchObject({ name: 'ShellError', code: 'not_running' })
    expect(await rejection(running.process.write('x'))).toMatchObject({ name: 'ShellError', code: 'not_running' })
    expect(await running.ended()).toEqual({ exitCode: 137, signal: 'SIGKILL' })
    await running.process.kill('SIGTERM')
    await running.process.resize?.({ cols: 10, rows: 10 })
  })

  it('ends with the Node process, together with its jobs', async () => {
    const program = `
      import { createWorkspace } from 'toolport'
      import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
      const shell = createNodeShell()(createWorkspace({ fs: createNodeFs({ root: process.argv[1] }) }))
      let text = ''
      await shell.spawn('set -m; sleep 1000 & echo $!; echo $$; echo ready; sleep 1000', {
        ...JSON.parse(process.argv[2]),
        onOutput(output) {
          text += output.text
          if (text.includes('ready')) { console.log(text.replaceAll('\\r', '')); process.exit(0) }
        },
      })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, root, JSON.stringify(kind)], { cwd: process.cwd() })
    let printed = ''
    child.stdout.on('data', (chunk) => (printed += chunk))
    child.stderr.on('data', (chunk) => (printed += chunk))
    await new Promise((resolve) => child.once('close', resolve))
    await expectNobody(pidsIn(printed), 2)
  })

  it('starts with a large state', async () => {
    const shell = shellOf()
    const { state, env } = await shell.exec(`long=$(head -c 300000 /dev/zero | tr '\\0' x); f() { echo "f \${#long}"; }; set -u`)
    expect(state).toBeDefined()
    const options = { ...kind, env, ...(state && { state }) }
    const running = await startSession({ shell: shell as SpawningShell, workspace: workspaceOf() }, 'f; echo $-', options)
    await running.ended()
    expect(running.text().replaceAll('\r', '')).toMatch(/^f 300000\n.*u.*\n$/)
    expect(running.text('stderr')).toBe('')
    expect(scratch()).toEqual([])
  })
})

describe('input on pipes', () => {
  it('is rejected after the command closed it, and the command continues', async () => {
    const running = await start('exec < /dev/null; echo closed; until [ -e go ]; do sleep 0.02; done; echo end')
    await running.heard('closed')
    expect(await rejection(running.process.write('x\n'))).toMatchObject({ name: 'ShellError', code: 'not_running' })
    await (await start('> go')).ended()
    expect(await running.ended()).toEqual({ exitCode: 0 })
    expect(running.text()).toBe('closed\nend\n')
  })

  it('reaches a program that reads one line and ends', async () => {
    const running = await start('head -n 1; echo end')
    await running.process.write('first\n')
    expect(await running.ended()).toEqual({ exitCode: 0 })
    expect(running.text()).toBe('first\nend\n')
  })

  it('reaches a program that prompts and answers in turns', async () => {
    const running = await start('python3 -i -q -u 2>&1')
    await running.heard('>>> ')
    await running.process.write('print(6 * 7)\n')
    await running.heard('42\n')
    await running.process.write('import sys; sys.exit(5)\n')
    expect(await running.ended()).toEqual({ exitCode: 5 })
  })
})

it('a session can be killed without free file descriptors', async (test) => {
  const running = await start('sleep 1000')
  const held: number[] = []
  try {
    while (held.length < 50_000) held.push(openSync('/dev/null', 'r'))
  } catch {
    // All file descriptors are in use.
  }
  if (held.length === 50_000) for (const fd of held.splice(0)) closeSync(fd)
  test.skip(held.length === 0, 'there are too many to use up')
  const killed = running.process.kill('SIGKILL')
  for (const fd of held) closeSync(fd)
  await killed
  expect(await running.ended()).toEqual({ exitCode: 137, signal: 'SIGKILL' })
})
