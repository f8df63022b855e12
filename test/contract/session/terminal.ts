import { equal, ok, same } from '../runner.js'
import { endedBy, endedWith, type Running, type SessionCase, type SessionCaseGroup, wasEnded } from './case.js'

const SIZE = { cols: 100, rows: 30 }

/** The output with LF line ends. */
const linesOf = (running: Running): string => running.text().replaceAll('\r\n', '\n')

const terminalCases: Readonly<Record<string, SessionCase>> = {
  'terminal: it has one, of the size that was asked for': async ({ start }) => {
    const running = await start('[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo terminal; stty size; echo end', { terminal: SIZE })
    equal(running.process.transport, 'pty')
    await running.ended()
    equal(linesOf(running), 'terminal\n30 100\nend\n')
  },
  'terminal: programs that ask for its width get it': async ({ start }) => {
    const running = await start('command -v tput > /dev/null && tput cols || echo 100; echo "$TERM"', { terminal: SIZE })
    await running.ended()
    const [cols, term = ''] = linesOf(running).split('\n')
    equal(cols, '100')
    ok(term !== '' && term !== 'dumb', `Expected the name of a terminal in TERM, got "${term}"`)
  },
  'terminal: both streams come as one, in order': async ({ start }) => {
    const running = await start('for i in 1 2 3; do echo "o$i"; echo "e$i" >&2; done; exit 3', { terminal: SIZE })
    equal((await running.ended()).exitCode, 3)
    same([linesOf(running), running.text('stderr')], ['o1\ne1\no2\ne2\no3\ne3\n', ''])
  },
  'terminal: a new size reaches the command': async ({ start }) => {
    const running = await start(
      // bash loses a signal that arrives while it runs the trap for the same signal, so the trap only sets a variable.
      'trap w=1 WINCH; echo ready; while :; do if [ "$w" ]; then w=; echo "now $(stty size)"; fi; sleep 0.05; done',
      { terminal: SIZE },
    )
    await running.heard('ready')
    for (const [cols, rows] of [
      [132, 43],
      [40, 10],
    ] as const) {
      await running.process.resize?.({ cols, rows })
      await running.heard(`now ${rows} ${cols}`)
    }
  },
  'terminal: what is typed is echoed, and read': async ({ start }) => {
    const running = await start('read -r x; echo "got $x"', { terminal: SIZE })
    await running.process.write('grün 🙂\r')
    await running.ended()
    equal(linesOf(running), 'grün 🙂\ngot grün 🙂\n')
  },
  'terminal: without echo what is typed is not told': async ({ start }) => {
    const running = await start('stty -echo; echo ready; read -r x; echo "got $x" | wc -c | tr -d " "', { terminal: SIZE })
    await running.heard('ready')
    await running.process.write('secret\n')
    await running.ended()
    equal(linesOf(running), 'ready\n11\n')
  },
  'terminal: Ctrl+C interrupts': async ({ start }) => {
    const running = await start('echo ready; sleep 1000; echo after', { terminal: SIZE })
    await running.heard('ready')
    await running.process.write('\x03')
    await endedBy(running, 'SIGINT')
    ok(!running.text().includes('after'), 'Expected that nothing runs after it')
  },
  'terminal: Ctrl+C is for a command that handles it': async ({ start }) => {
    const running = await start(
      // A single long sleep would continue if the signal arrived just before it starts.
      'trap \'c=1; echo caught\' INT; echo ready; until [ "$c" ]; do sleep 0.05; done; echo after; exit 4',
      { terminal: SIZE },
    )
    await running.heard('ready')
    await running.process.write('\x03')
    equal((await running.ended()).exitCode, 4)
    ok(/caught[\s\S]*after/.test(running.text()), `Expected that it goes on, got ${JSON.stringify(running.text())}`)
  },
  'terminal: Ctrl+D ends the input': async ({ start }) => {
    const running = await start('stty -echo; echo ready; cat; echo end', { terminal: SIZE })
    await running.heard('ready')
    await running.process.write('line\n')
    await running.heard('line')
    await running.process.write('\x04')
    await running.heard('end')
    equal((await running.ended()).exitCode, 0)
  },
  'terminal: all output was told when exited resolves': async ({ start }) => {
    const running = await start('seq 1 20000; exit 4', { terminal: SIZE })
    equal((await running.ended()).exitCode, 4)
    equal(linesOf(running), Array.from({ length: 20_000 }, (_, i) => `${i + 1}\n`).join(''))
  },
  'terminal: signals, and the end by abort': async ({ workspace, start }) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
      const running = await start('echo ready; sleep 1000; > made', { terminal: SIZE })
      await running.heard('ready')
      await running.process.kill(signal)
      await endedBy(running, signal)
    }
    const controller = new AbortController()
    const running = await start('echo ready; sleep 1000; > made', { terminal: SIZE, signal: controller.signal })
    await running.heard('ready')
    controller.abort()
    await wasEnded(running)
    equal(await workspace.exists('made'), false)
  },
  'terminal: cwd and env are as for exec': async ({ workspace, start }) => {
    const running = await start('pwd; echo "$A"', { terminal: SIZE, cwd: workspace.resolve('src'), env: { A: 'x y' } })
    await running.ended()
    equal(linesOf(running), `${workspace.resolve('src')}\nx y\n`)
  },
  'terminal: several at once keep their output apart': async ({ start }) => {
    const all = Array.from({ length: 5 }, (_, i) => i)
    const sessions = await Promise.all(all.map((i) => start(`stty -echo; echo ready; read -r x; echo "${i}:$x"`, { terminal: SIZE })))
    await Promise.all(sessions.map((running) => running.heard('ready')))
    await Promise.all(sessions.map(({ process }, i) => process.write(`line ${i}\n`)))
    for (const [i, running] of sessions.entries()) {
      await running.ended()
      equal(linesOf(running), `ready\n${i}:line ${i}\n`)
    }
  },
}

const noTerminalCases: Readonly<Record<string, SessionCase>> = {
  'terminal: without terminals one that was asked for is a pipe, which is told': async ({ start }) => {
    const running = await start('[ -t 1 ] && echo terminal; read x; echo "got $x"', { terminal: SIZE })
    same([running.process.transport, running.process.resize], ['pipe', undefined])
    await running.process.write('line\n')
    await endedWith(running, 0, 'got line\n')
  },
}

export const terminalGroups: readonly SessionCaseGroup[] = [
  { needs: ['pty'], cases: terminalCases },
  { lacks: ['pty'], cases: noTerminalCases },
]
