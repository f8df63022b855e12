import { equal, ok } from '../runner.js'
import {
  abortAfter,
  FALLBACK_MS,
  fileIsAbsent,
  Listener,
  printed,
  type ShellCase,
  type ShellStage,
  stopped,
  timeoutAfter,
  untilThere,
} from './case.js'

const TIGHT_LOOP = 'while :; do :; done'

/** Creates `go`, so that a command that still runs would continue and create `made`. Expects that `made` does not appear. */
async function expectNothingMore({ workspace, run }: ShellStage): Promise<void> {
  await workspace.writeText('go', '')
  await workspace.host.sleep(300)
  await fileIsAbsent(workspace, 'made')
  printed(await run('echo works'), 'works\n')
}

export const stoppingCases: Readonly<Record<string, ShellCase>> = {
  'abort: before the start nothing runs': async (stage) => {
    const listener = new Listener()
    const result = await stage.run('echo x; > made', { signal: AbortSignal.abort(), onOutput: listener.onOutput })
    stopped(result, 'aborted')
    equal(result.stdout, '')
    equal(listener.pieces.length, 0, 'the number of pieces')
    equal(result.cwd, stage.workspace.cwd)
    await expectNothingMore(stage)
  },
  'abort: right after the call': async (stage) => {
    const controller = new AbortController()
    const running = stage.run(`${untilThere('go')}; [ -e go ] && > made`, { signal: controller.signal })
    controller.abort()
    stopped(await running, 'aborted')
    await expectNothingMore(stage)
  },
  'abort: by a timer of the same thread ends a tight loop': async (stage) => {
    const result = await abortAfter(stage, 'before\n', `echo before; ${TIGHT_LOOP}; > made`)
    equal(result.stdout, 'before\n', 'what was printed before')
    await expectNothingMore(stage)
  },
  'abort: ends a tight loop in a function, in arithmetic and in a subshell': async (stage) => {
    for (const loop of ['f() { while true; do i=1; done; }; f', 'for ((;;)); do ((i++)); done', '(until false; do x=$((x + 1)); done)']) {
      await abortAfter(stage, 'before\n', `echo before; ${loop}; > made`)
    }
    await expectNothingMore(stage)
  },
  'abort: ends a sleep': async (stage) => {
    const result = await abortAfter(stage, 'before\n', 'echo before; echo err >&2; sleep 1000; > made')
    equal(result.stdout, 'before\n', 'what was printed before')
    await expectNothingMore(stage)
  },
  'abort: ends a sleep in a pipe and in a substitution': async (stage) => {
    await abortAfter(stage, 'before\n', 'echo before; sleep 1000 | cat; > made')
    await abortAfter(stage, 'before\n', 'echo before; x=$(sleep 1000; echo y); > made')
    await expectNothingMore(stage)
  },
  'abort: ends endless output, the result is bounded': async (stage) => {
    const result = await abortAfter(stage, 'line\nline\n', 'while :; do echo line; done', { maxBytes: 4000 })
    ok(result.stdout.startsWith('line\nline\n') && result.stdout.length <= 4000, `Expected at most 4000 bytes, got ${result.stdout.length}`)
    await expectNothingMore(stage)
  },
  'abort: the statements after a stopped one do not run': async (stage) => {
    await abortAfter(stage, 'before\n', 'echo before; until [ -e go ]; do sleep 0.05; done; > made; echo after')
    // A command that still runs would now continue and create `made`.
    await stage.workspace.writeText('go', '')
    await expectNothingMore(stage)
  },
  'abort: keeps cwd and env as they began': async (stage) => {
    const cwd = stage.workspace.resolve('src')
    const result = await abortAfter(stage, 'before\n', 'export A=2; cd ../docs; echo before; sleep 1000', { cwd, env: { A: '1' } })
    equal(result.cwd, cwd)
    equal(result.env.A, '1')
  },
  'abort: ends only its own command': async (stage) => {
    const stop = async (): Promise<void> => {
      await abortAfter(stage, 'before\n', 'echo before; sleep 1000')
      await stage.workspace.writeText('go', '')
    }
    const [other] = await Promise.all([stage.run(`${untilThere('go')}; [ -e go ] && echo other`), stop()])
    printed(other, 'other\n')
  },
  'abort: after the end changes nothing': async ({ run }) => {
    const controller = new AbortController()
    const result = await run('echo a', { signal: controller.signal })
    controller.abort()
    printed(result, 'a\n')
    printed(await run('echo b'), 'b\n')
  },
  'timeout: ends a tight loop': async (stage) => {
    stopped(await stage.run(`${TIGHT_LOOP}; > made`, { timeoutMs: 300 }), 'timedOut')
    await expectNothingMore(stage)
  },
  'timeout: ends a sleep': async (stage) => {
    stopped(await stage.run('sleep 1000; > made', { timeoutMs: 300 }), 'timedOut')
    await expectNothingMore(stage)
  },
  'timeout: ends endless output, the result is bounded': async (stage) => {
    const result = await stage.run('while :; do echo line; done', { timeoutMs: 500, maxBytes: 4000 })
    stopped(result, 'timedOut')
    ok(result.stdout.length <= 4000, `Expected at most 4000 bytes, got ${result.stdout.length}`)
    await expectNothingMore(stage)
  },
  'timeout: what was printed before is kept': async (stage) => {
    const command = `echo out; echo err >&2; for i in 1 2; do echo "in a loop $i"; done; ${TIGHT_LOOP}`
    const result = await timeoutAfter(stage, 'in a loop 2\n', command)
    equal(result.stdout, 'out\nin a loop 1\nin a loop 2\n', 'stdout')
    equal(result.stderr, 'err\n', 'stderr')
  },
  'timeout: what was written before is kept': async (stage) => {
    await timeoutAfter(stage, 'before\n', 'echo kept > made; echo before; sleep 1000')
    equal((await stage.workspace.readText('made')).text, 'kept\n')
  },
  'timeout: keeps cwd and env as they began': async (stage) => {
    const result = await timeoutAfter(stage, 'before\n', 'export A=2; cd src; echo before; sleep 1000', { env: { A: '1' } })
    equal(result.cwd, stage.workspace.cwd)
    equal(result.env.A, '1')
  },
  'timeout: does not count for a command that ends before': async ({ run }) => {
    printed(await run('sleep 0.1; echo a', { timeoutMs: FALLBACK_MS }), 'a\n')
  },
}
