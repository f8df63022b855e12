import { createWorkspace, type ShellAdapter, type Workspace } from 'toolport'
import { createWebContainerFs, createWebContainerShell } from 'toolport/adapters/webcontainer'
import { expectSame } from './expect.js'
import type { ProbedContainer } from './probed-container.js'
import { listenTo, type Session, WAIT_MS } from './session.js'

interface ShellCase {
  readonly title: string
  readonly run: () => Promise<void>
}

interface Stage {
  readonly shell: ShellAdapter
  readonly workspace: Workspace
  readonly container: ProbedContainer
}

const LIMIT = { timeoutMs: WAIT_MS }

const node = (script: string): string => `node -e ${JSON.stringify(script)}`

/** What the adapter relies on, in commands that a small shell supports: pipes, redirections, `&&`, `;`, node. */
const BODIES: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'a command prints, and ends with 0': async ({ shell }) => {
    const { stdout, exitCode } = await shell.exec('echo hello', LIMIT)
    expectSame([stdout, exitCode], ['hello\n', 0])
  },
  'the exit code of a program, and of a command that is not there': async ({ shell }) => {
    expectSame((await shell.exec(node('process.exit(3)'), LIMIT)).exitCode, 3)
    expectSame((await shell.exec('no-such-command-here', LIMIT)).exitCode, 127)
  },
  'pipes, && and ||, ;': async ({ shell }) => {
    const { stdout } = await shell.exec('echo a | cat && echo b; false || echo c', LIMIT)
    expectSame(stdout, 'a\nb\nc\n')
  },
  'without an input it reads the end at once': async ({ shell }) => {
    expectSame(await brief(shell.exec('cat; echo end', LIMIT)), ['end\n', '', 0])
  },
  'an input is read whole': async ({ shell }) => {
    expectSame(await brief(shell.exec('cat', { ...LIMIT, stdin: 'grün\n🙂' })), ['grün\n🙂', '', 0])
  },
  'errors are apart, where they were asked for so': async ({ shell }) => {
    expectSame(await brief(shell.exec(node("console.log('out'); console.error('err')"), LIMIT)), ['out\n', 'err\n', 0])
  },
  'directory and variables at the end are known': async ({ shell, workspace }) => {
    await workspace.mkdir('sub')
    const { cwd, env, exitCode } = await shell.exec('cd sub; export PROBE=1; false', LIMIT)
    expectSame([cwd, env.PROBE, exitCode], [workspace.resolve('sub'), '1', 1])
  },
  'directory and variables can be given': async ({ shell, workspace }) => {
    await workspace.mkdir('sub')
    const { stdout } = await shell.exec(node('console.log(process.cwd(), process.env.PROBE)'), {
      ...LIMIT,
      cwd: workspace.resolve('sub'),
      env: { PROBE: 'two words' },
    })
    expectSame(stdout, `${workspace.resolve('sub')} two words\n`)
  },
  'a command and the workspace see what the other writes': async ({ shell, workspace }) => {
    await workspace.writeText('in.txt', 'from here\n')
    expectSame((await shell.exec('cat in.txt; echo from there > out.txt', LIMIT)).stdout, 'from here\n')
    expectSame((await workspace.readText('out.txt')).text, 'from there\n')
  },
  'nothing is left beside the workspace': async ({ shell, container }) => {
    await shell.exec('cat', { ...LIMIT, stdin: 'x' })
    const entries = await container.fs.readdir('.', { withFileTypes: true })
    expectSame(
      entries.map(({ name }) => name).filter((name) => name.startsWith('.toolport')),
      [],
    )
  },
  'characters of large output are whole': async ({ shell }) => {
    const { stdout } = await shell.exec(node("process.stdout.write('ü🙂'.repeat(100000))"), { ...LIMIT, maxBytes: 2 ** 24 })
    expectSame([stdout.length, stdout.includes('\ufffd')], [300_000, false])
  },
  '5 MB of output are whole when the end is told': async ({ shell }) => {
    const { stdout } = await shell.exec(node("process.stdout.write('0123456\\n'.repeat(655360))"), { ...LIMIT, maxBytes: 2 ** 24 })
    expectSame(stdout.length, 5_242_880)
  },
  'a timeout ends a program that waits': async ({ shell }) => {
    const { exitCode, timedOut, stdout } = await shell.exec(node("console.log('begun'); setInterval(() => {}, 1000)"), { timeoutMs: 3000 })
    expectSame([exitCode, timedOut, stdout], [null, true, 'begun\n'])
  },
  'a program that was stopped does nothing more': async ({ shell, workspace }) => {
    await shell.exec(node("setTimeout(() => require('fs').writeFileSync('late', ''), 6000)"), { timeoutMs: 2000 })
    await workspace.host.sleep(7000)
    expectSame(await workspace.exists('late'), false)
  },
  'a timeout is answered for a program in a loop without an end, and the next command runs': async ({ shell }) => {
    const { timedOut } = await shell.exec(node('for (;;) {}'), { timeoutMs: 3000 })
    expectSame([timedOut, (await shell.exec('echo works', LIMIT)).stdout], [true, 'works\n'])
  },
  'a session has a terminal of its size, and takes a new one': async (stage) => {
    const script =
      "const size = () => console.log(process.stdout.columns + 'x' + process.stdout.rows); size(); process.stdout.on('resize', size); setTimeout(() => {}, 10000)"
    const { process, heard } = await start(stage, node(script), { cols: 100, rows: 30 })
    await heard('100x30')
    await process.resize?.({ cols: 40, rows: 10 })
    await heard('40x10')
    await process.kill('SIGKILL')
    await process.exited
  },
  'a session reads what is typed, and Ctrl+D ends its input': async (stage) => {
    const script = "process.stdin.on('data', (d) => console.log('<' + String(d).trim() + '>')).on('end', () => console.log('over'))"
    for (const terminal of [undefined, { cols: 80, rows: 24 }]) {
      const { process, heard } = await start(stage, node(script), terminal)
      await process.write('grün\n')
      await heard('<grün>')
      await (process.closeInput ? process.closeInput() : process.write('\x04'))
      await heard('over')
      expectSame((await process.exited).exitCode, 0)
    }
  },
  'a session without a terminal echoes nothing': async (stage) => {
    const { process, text, heard } = await start(stage, node("process.stdin.once('data', () => { console.log('read'); process.exit() })"))
    await process.write('typed\n')
    await heard('read')
    await process.exited
    expectSame(text(), 'read\n')
  },
  'Ctrl+C interrupts a session': async (stage) => {
    const { process, heard } = await start(stage, node("console.log('begun'); setInterval(() => {}, 1000)"), { cols: 80, rows: 24 })
    await heard('begun')
    await process.write('\x03')
    expectSame((await process.exited).exitCode, 130)
  },
  'a killed session has more than 128': async (stage) => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { process, heard } = await start(stage, node("console.log('begun'); setInterval(() => {}, 1000)"))
      await heard('begun')
      await process.kill(signal)
      expectSame((await process.exited).signal, signal)
    }
  },
}

/** Each case has a folder of its own, whose virtual path equals its path in the container. */
export function shellCases(container: ProbedContainer): ShellCase[] {
  return Object.entries(BODIES).map(([title, body], index) => ({
    title,
    run: async () => {
      const { shell, workspace } = shellIn(container, `shell-${index}`)
      try {
        await workspace.fs.open?.()
        await body({ shell, workspace, container })
      } finally {
        await shell.close?.()
      }
    },
  }))
}

export function shellIn(container: ProbedContainer, root: string): Pick<Stage, 'shell' | 'workspace'> {
  const workspace = createWorkspace({ fs: createWebContainerFs({ container, root }), root: `${container.workdir}/${root}` })
  return { workspace, shell: createWebContainerShell({ stderr: 'file' })(workspace) }
}

async function brief(
  running: Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number | null }>,
): Promise<unknown[]> {
  const { stdout, stderr, exitCode } = await running
  return [stdout, stderr, exitCode]
}

async function start(
  { shell: { spawn } }: Stage,
  command: string,
  terminal?: { readonly cols: number; readonly rows: number },
): Promise<Session> {
  if (!spawn) throw new Error('The shell has no spawn')
  return listenTo((onOutput) => spawn(command, { ...(terminal && { terminal }), onOutput }))
}
