import { equal, ok } from '../runner.js'
import { fileIsAbsent, untilThere } from '../shell/case.js'
import { endedBy, endedWith, type SessionCase, type SessionStage, wasEnded } from './case.js'

/** A command that creates `made` when `go` exists, unless it was ended before. */
const MAKES = `${untilThere('go')}; [ -e go ] && > made`

/** Creates `go`, so that a command that still runs would continue and create `made`. Expects that `made` does not appear. */
async function expectNothingMore({ workspace, run }: SessionStage): Promise<void> {
  await workspace.writeText('go', '')
  await workspace.host.sleep(300)
  await fileIsAbsent(workspace, 'made')
  equal((await run('echo works')).stdout, 'works\n')
}

const killCases: Readonly<Record<string, SessionCase>> = Object.fromEntries(
  (['SIGINT', 'SIGTERM', 'SIGKILL'] as const).map((signal): [string, SessionCase] => [
    `kill: ${signal} ends a sleep, a loop and a reader, with 128 and its number`,
    async (stage) => {
      // The commands run long, because a bash whose program has just ended takes SIGINT as meant for that program.
      for (const command of ['sleep 1000', 'while :; do :; done', 'read x', 'while :; do sleep 1000; done']) {
        const running = await stage.start(`echo ready; ${command}; > made`)
        await running.heard('ready\n')
        await running.process.kill(signal)
        await endedBy(running, signal)
      }
      await expectNothingMore(stage)
    },
  ]),
)

export const endingCases: Readonly<Record<string, SessionCase>> = {
  ...killCases,
  'kill: what was printed before is kept': async ({ start }) => {
    const running = await start('echo out; sleep 1000; echo never')
    await running.heard('out\n')
    await running.process.kill('SIGTERM')
    await endedBy(running, 'SIGTERM')
    equal(running.text(), 'out\n')
  },
  'kill: right after the start': async (stage) => {
    const running = await stage.start(MAKES)
    await running.process.kill('SIGKILL')
    await endedBy(running, 'SIGKILL')
    await expectNothingMore(stage)
  },
  'kill: after the end does nothing': async ({ run, start }) => {
    const running = await start('exit 3')
    await running.ended()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) await running.process.kill(signal)
    await endedWith(running, 3, '')
    equal((await run('echo works')).stdout, 'works\n')
  },
  'kill: several times, and at the same time': async ({ start }) => {
    const running = await start('echo ready; sleep 1000')
    await running.heard('ready\n')
    const { process } = running
    await Promise.all([process.kill('SIGKILL'), process.kill('SIGKILL'), process.kill('SIGKILL')])
    await endedBy(running, 'SIGKILL')
  },
  'kill: ends only its own session': async ({ workspace, start }) => {
    const [one, other] = await Promise.all([start('echo ready; sleep 1000'), start(`${untilThere('go')}; [ -e go ] && echo other`)])
    await one.heard('ready\n')
    await one.process.kill('SIGKILL')
    await endedBy(one, 'SIGKILL')
    await workspace.writeText('go', '')
    await endedWith(other, 0, 'other\n')
  },
  'kill: ends pipes, substitutions and background commands too': async (stage) => {
    const running = await stage.start(`(${MAKES}) & echo ready; x=$(sleep 1000; echo y) | cat; > made`)
    await running.heard('ready\n')
    await running.process.kill('SIGKILL')
    await endedBy(running, 'SIGKILL')
    await expectNothingMore(stage)
  },
  'abort: before the start nothing runs': async (stage) => {
    const signal = AbortSignal.abort()
    // An adapter may reject, or return a session that has ended.
    const running = await stage.start('echo x; > made', { signal }).catch(() => undefined)
    if (running) await wasEnded(running)
    await expectNothingMore(stage)
  },
  'abort: right after the call': async (stage) => {
    const controller = new AbortController()
    const starting = stage.start(MAKES, { signal: controller.signal }).catch(() => undefined)
    controller.abort()
    const running = await starting
    if (running) await wasEnded(running)
    await expectNothingMore(stage)
  },
  'abort: after the start, however late': async (stage) => {
    for (const command of ['sleep 1000', 'while :; do :; done', 'read x', 'sleep 1000 | cat']) {
      const controller = new AbortController()
      const running = await stage.start(`echo ready; ${command}; > made`, { signal: controller.signal })
      await running.heard('ready\n')
      controller.abort()
      await wasEnded(running)
      equal(running.text(), 'ready\n')
    }
    await expectNothingMore(stage)
  },
  'abort: after the end changes nothing': async ({ start }) => {
    const controller = new AbortController()
    const running = await start('echo a; exit 3', { signal: controller.signal })
    await running.ended()
    controller.abort()
    await endedWith(running, 3, 'a\n')
  },
  'end: a background command does not outlive its session': async (stage) => {
    const running = await stage.start(`(${MAKES}) & echo end`)
    await running.ended()
    ok(running.text().startsWith('end\n'), 'Expected its output')
    await expectNothingMore(stage)
  },
}
