// @module-tag node-shell
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ShellSpawnOptions } from 'toolport'
import type { NodeShellOptions, PtyModuleLike } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Running, type SpawningShell, startSession } from '../contract/session/case.js'
import { cleanUp, freshRoot, isRunning, pidsIn, root, shellOf, workspaceOf } from './node-shell-fixture.js'

/** Timeout that only a failing test reaches. */
const PATIENCE_MS = 120_000

beforeEach(freshRoot)
afterEach(cleanUp)
afterEach(() => vi.unstubAllEnvs())

const SIZE = { cols: 80, rows: 24 }
const CTRL_C = '\x03'
const CTRL_Z = '\x1a'
const ESC = '\x1b'

function start(command: string, options?: ShellSpawnOptions, shell?: NodeShellOptions): Promise<Running> {
  const workspace = workspaceOf()
  return startSession({ shell: shellOf(shell, workspace) as SpawningShell, workspace }, command, { terminal: SIZE, ...options })
}

/** Starts an interactive shell and waits for its prompt. */
async function prompt(): Promise<Running> {
  const running = await start("PS1='$ ' exec bash --norc --noprofile -i")
  await running.heard('$ ')
  return running
}

/** The terminal's output without escape sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about these.
const plain = (text: string): string => text.replace(/\x1b(?:\[[0-9;?]*[a-zA-Z]|[=>()][0-9A-B]?|\][^\x07]*\x07)/g, '').replaceAll('\r', '')

/** Blocks the event loop. */
function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1} of the file\n`).join('')

describe('interactive programs', () => {
  it('less shows pages, moves, searches and quits', async () => {
    writeFileSync(join(root, 'long.txt'), lines(500))
    const running = await start('less long.txt; echo "status $?"')
    await running.heard('line 23 of the file')
    expect(running.text()).not.toContain('line 60 of')
    await running.process.write(' ')
    await running.heard('line 46 of the file')
    await running.process.write('G')
    await running.heard('line 500 of the file')
    await running.process.write('/line 77 of\r'.replace('/', '?'))
    await running.heard('line 77 of')
    await running.process.write('q')
    await running.heard('status 0')
    expect(await running.ended()).toEqual({ exitCode: 0 })
  })

  it('vi edits a file, writes it and quits', async () => {
    writeFileSync(join(root, 'notes.txt'), 'one\ntwo\nthree\n')
    const running = await start('vi -u NONE notes.txt; echo "status $?"')
    await running.heard('three')
    await running.process.write('jdd')
    await running.process.write('oinserted ü 日本')
    await running.process.write(ESC)
    await running.process.write(':wq\r')
    await running.heard('status 0')
    expect(await running.ended()).toEqual({ exitCode: 0 })
    expect(readFileSync(join(root, 'notes.txt'), 'utf8')).toBe('one\nthree\ninserted ü 日本\n')
  })

  it('python3 evaluates an expression at its prompt', async () => {
    const running = await start('python3 -q')
    await running.heard('>>> ')
    await running.process.write('print(6 * 7)\r')
    // Before its prompt, Python uses another terminal mode, in which an end of input is lost.
    await expect.poll(() => plain(running.text())).toMatch(/\n42\n>>> $/)
    await running.process.write('\x04')
    expect(await running.ended()).toEqual({ exitCode: 0 })
  })

  it('a password prompt does not echo', async () => {
    const running = await start(`read -rs -p 'Password: ' p; echo; echo "\${#p} characters"`)
    await running.heard('Password: ')
    await running.process.write('geheim!\r')
    expect(await running.ended()).toEqual({ exitCode: 0 })
    expect(plain(running.text())).toBe('Password: \n7 characters\n')
  })

  it('less redraws the screen after a resize', async () => {
    writeFileSync(join(root, 'long.txt'), lines(500))
    const running = await start('less long.txt')
    await running.heard('line 23 of the file')
    // less may miss a resize while it draws for the first time, so resize again, each time to another size.
    let rows = 50
    const resized = async (): Promise<void> => {
      await running.process.resize?.({ cols: 80, rows: rows++ })
      await running.heard('line 49 of the file')
    }
    await vi.waitFor(() => Promise.race([resized(), new Promise((_, reject) => setTimeout(reject, 20_000))]), PATIENCE_MS)
    await running.process.write('q')
    expect(await running.ended()).toEqual({ exitCode: 0 })
  })
})

describe('an interactive shell with jobs', () => {
  it('keeps running after Ctrl+C ends the job', async () => {
    const running = await prompt()
    await running.process.write("sh -c 'echo sta''rted; exec sleep 1000'\r")
    await running.heard('started')
    await running.process.write(CTRL_C)
    await running.process.write('echo "sta""tus $?"\r')
    await running.heard('status 130')
    await running.process.write('exit 7\r')
    expect(await running.ended()).toEqual({ exitCode: 7 })
  })

  it('stops the job on Ctrl+Z and continues it with fg', async () => {
    const running = await prompt()
    await running.process.write("sh -c 'echo sta''rted; read x; echo \"got $x\"'\r")
    await running.heard('started')
    await running.process.write(CTRL_Z)
    await running.heard('Stopped')
    await running.process.write('fg\r')
    // bash prints the continued command like the stopped one. The terminal may echo `fg` twice: before and after bash's prompt.
    const said = (): number | undefined => running.text().split('Stopped').at(1)?.match(/sh -c/g)?.length
    await vi.waitFor(() => expect(said()).toBe(2), PATIENCE_MS)
    await running.process.write('input\r')
    await running.heard('got input')
    await running.process.write('exit\r')
    await running.ended()
  })

  it('ignores SIGTERM, which reaches its jobs, and dies of SIGKILL', async () => {
    const running = await prompt()
    await running.process.write('sleep 1000 & sleep 1001 & jobs -p; echo re""ady\r')
    await running.heard('ready')
    await running.process.write("sh -c 'echo $$; echo on the sc''reen; sleep 1000'\r")
    await running.heard('on the screen')
    const pids = pidsIn(plain(running.text()))
    expect(pids).toHaveLength(3)
    await running.process.kill('SIGTERM')
    await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), PATIENCE_MS)
    expect(running.isEnded()).toBe(false)
    await running.process.kill('SIGKILL')
    expect(await running.ended()).toEqual({ exitCode: 137, signal: 'SIGKILL' })
  })

  it('dies of SIGKILL after it closed its terminal', async () => {
    const running = await start(`trap '' HUP TERM; exec < /dev/null > /dev/null 2>&1; echo > closed; while :; do sleep 0.1; done`)
    await vi.waitFor(() => expect(existsSync(join(root, 'closed'))).toBe(true), PATIENCE_MS)
    // Waits until the adapter has noticed that the terminal is closed.
    await vi.waitFor(() => expect(running.process.write('x')).rejects.toMatchObject({ code: 'not_running' }), PATIENCE_MS)
    await running.process.kill('SIGKILL')
    expect(await running.ended()).toEqual({ exitCode: 137, signal: 'SIGKILL' })
  })
})

describe('the environment of a terminal', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own.
  const SHOWN = 'echo "$TERM|${PAGER-none}|${GIT_PAGER-none}|${GIT_TERMINAL_PROMPT-none}|${COLUMNS-none}|${A-none}"'
  const shown = async (options?: ShellSpawnOptions, shell?: NodeShellOptions): Promise<string> => {
    const running = await start(`unset COLUMNS; ${SHOWN}`, options, shell)
    await running.ended()
    return plain(running.text())
  }

  it('sets TERM and no pager', async () => {
    vi.stubEnv('TERM', 'vt100')
    expect(await shown()).toBe('xterm-256color|none|none|none|none|none\n')
  })

  it('follows the call and the options', async () => {
    vi.stubEnv('TERM', 'vt100')
    vi.stubEnv('PAGER', 'more')
    expect(await shown({ env: { A: '1' } }, { inherit: ['TERM', 'PAGER'], env: { GIT_PAGER: 'cat' } })).toBe('vt100|more|cat|none|none|1\n')
    expect(await shown({ env: { TERM: 'screen', PAGER: 'less' } })).toBe('screen|less|none|none|none|none\n')
  })

  it('drops the TERM and PAGER of an earlier command without a terminal', async () => {
    const { env } = await shellOf().exec('export A=2')
    expect(env).toMatchObject({ TERM: 'dumb', PAGER: 'cat' })
    expect(await shown({ env })).toBe('xterm-256color|none|none|none|none|2\n')
  })
})

describe('output of a terminal', () => {
  it('is complete up to the last line', async () => {
    for (let i = 0; i < 5; i++) {
      const running = await start('stty -onlcr; seq 1 30000; echo end; exit 3')
      expect(await running.ended()).toEqual({ exitCode: 3 })
      expect(running.text().length).toBe(Array.from({ length: 30_000 }, (_, n) => `${n + 1}\n`).join('').length + 4)
    }
  })

  it('terminal output of many non-ASCII characters is complete', async () => {
    const running = await start(`stty -onlcr; i=0; while [ $i -lt 3000 ]; do printf 'aü日😀'; i=$((i + 1)); done`)
    await running.ended()
    expect(running.text()).toBe('aü日😀'.repeat(3000))
  })
})

describe('a session without terminals', () => {
  it.each([
    ['disabled', false],
    ['a failing', () => Promise.reject(new Error('no binary for this machine'))],
    ['an incompatible', async () => ({}) as never],
  ] as const)('a session with %s pty runs on pipes', async (_, pty) => {
    const shell = shellOf({ pty })
    await shell.open?.()
    expect(shell.can.pty).toBe(false)
    const running = await start('[ -t 0 ] || echo "none $TERM"; read x; echo "got $x"; echo err >&2', {}, { pty })
    expect(running.process).toMatchObject({ transport: 'pipe' })
    expect(running.process.resize).toBeUndefined()
    await running.process.write('input\n')
    await running.ended()
    expect([running.text(), running.text('stderr')]).toEqual(['none dumb\ngot input\n', 'err\n'])
  })

  it('fails to start if the system has no terminals left, and names the alternative', async () => {
    const spawn = (): never => {
      throw new Error('forkpty(3) failed.')
    }
    const failed = await start('touch made', {}, { pty: async () => ({ spawn }) }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ name: 'ShellError', code: 'spawn_failed', message: expect.stringContaining('without') })
    expect(existsSync(join(root, 'made'))).toBe(false)
  })

  it('a terminal that is busy before the first read loses no output', async () => {
    const server = createServer().listen(0)
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
    const client = connect((server.address() as AddressInfo).port)
    const socket = await accepted
    const { spawn } = await import('@lydell/node-pty')
    // The command starts when the event loop has two pending events, the second of which reports the exit. The work after that takes longer
    // than the module waits.
    const pty = async (): Promise<PtyModuleLike> => {
      const received = new Promise((resolve) => socket.once('data', resolve))
      setImmediate(() => {
        client.write('x')
        void stat(root)
        block(50)
      })
      await received
      return {
        spawn: (...given) => {
          const made = spawn(...(given as unknown as Parameters<typeof spawn>))
          block(300)
          setImmediate(() => block(300))
          return made
        },
      }
    }
    const running = await start('pwd; echo "$A"', { env: { A: 'x y' } }, { pty })
    expect(await running.ended()).toEqual({ exitCode: 0 })
    expect(running.text()).toBe(`${root}\r\nx y\r\n`)
    client.destroy()
    server.close()
  })

  it('`can.pty` is true after open()', async () => {
    const shell = shellOf()
    expect(shell.can.pty).toBe(false)
    await shell.open?.()
    expect(shell.can.pty).toBe(true)
  })
})
