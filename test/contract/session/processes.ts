import { equal, ok } from '../runner.js'
import { endedBy, endedWith, expectGone, pidsIn, type SessionCase, type SessionCaseGroup, wasEnded } from './case.js'

/** Prints the ids of a child and a grandchild process, and waits for both. */
const FAMILY = "sleep 1000 & echo $!; sh -c 'sleep 1000 & echo $!; echo ready; wait'; echo after"

const LOOP = 'while :; do sleep 0.05; done'

const processCases: Readonly<Record<string, SessionCase>> = {
  'processes: a session tells its number': async ({ run, start }) => {
    const running = await start('echo ready; read x')
    await running.heard('ready\n')
    const { pid } = running.process
    ok(pid !== undefined && pid > 1, `Expected the number of a process, got ${pid}`)
    equal((await run(`kill -0 ${pid}; echo $?`)).stdout, '0\n')
  },
  'processes: one that handles TERM ends as it likes': async ({ start }) => {
    const running = await start(`trap 'echo bye; exit 5' TERM; echo ready; ${LOOP}`)
    await running.heard('ready\n')
    await running.process.kill('SIGTERM')
    await endedWith(running, 5, 'ready\nbye\n')
  },
  'processes: one that ignores INT and TERM goes on, KILL ends it': async ({ start }) => {
    const running = await start(`trap '' INT TERM; echo ready; while IFS= read -r line; do echo "<$line>"; done`)
    await running.heard('ready\n')
    await running.process.kill('SIGINT')
    await running.process.kill('SIGTERM')
    await running.process.write('still here\n')
    await running.heard('<still here>\n')
    await running.process.kill('SIGKILL')
    await endedBy(running, 'SIGKILL')
  },
  'processes: children and grandchildren end with a killed session': async (stage) => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const running = await stage.start(FAMILY)
      await running.heard('ready\n')
      await running.process.kill(signal)
      await endedBy(running, signal)
      const pids = pidsIn(running.text())
      equal(pids.length, 2, 'the number of children')
      await expectGone(stage, pids)
    }
  },
  'processes: children that ignore TERM end with a session that TERM ended': async (stage) => {
    const running = await stage.start('bash -c \'trap "" TERM INT HUP; echo $$; echo ready; while :; do sleep 0.1; done\' & wait')
    await running.heard('ready\n')
    await running.process.kill('SIGTERM')
    await endedBy(running, 'SIGTERM')
    await expectGone(stage, pidsIn(running.text()))
  },
  'processes: children end with an aborted session': async (stage) => {
    const controller = new AbortController()
    const running = await stage.start(FAMILY, { signal: controller.signal })
    await running.heard('ready\n')
    controller.abort()
    await wasEnded(running)
    await expectGone(stage, pidsIn(running.text()))
  },
  'processes: an orphan that holds the output does not delay the end, and ends with it': async (stage) => {
    const running = await stage.start("sleep 1000 & echo $!; sh -c 'sleep 1000 & echo $!'; exit 4")
    equal((await running.ended()).exitCode, 4)
    const pids = pidsIn(running.text())
    equal(pids.length, 2, 'the number of orphans')
    await expectGone(stage, pids)
  },
  'processes: one that a signal of its own ended has 128 and its number': async ({ start }) => {
    const running = await start('echo a; kill -TERM $$; sleep 1000')
    await endedBy(running, 'SIGTERM')
    equal(running.text(), 'a\n')
  },
}

export const processGroups: readonly SessionCaseGroup[] = [{ needs: ['processes'], cases: processCases }]
