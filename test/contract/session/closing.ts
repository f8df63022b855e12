import { equal } from '../runner.js'
import { fileIsAbsent, rejectsShell } from '../shell/case.js'
import { type SessionCase, type SessionCaseGroup, wasEnded } from './case.js'

const closingCases: Readonly<Record<string, SessionCase>> = {
  'close: ends sessions': async ({ shell, workspace, start, within }) => {
    const commands = ['until [ -e go ]; do sleep 0.05; done', 'while :; do :; done', 'read x', 'cat']
    const sessions = await Promise.all(commands.map((command) => start(`echo ready; ${command}; > made`)))
    await Promise.all(sessions.map((running) => running.heard('ready\n')))
    await within(Promise.resolve(shell.close?.()), 'close')
    for (const running of sessions) {
      await wasEnded(running)
      equal(running.text(), 'ready\n')
    }
    // A command that still runs would now continue and create `made`.
    await workspace.writeText('go', '')
    await workspace.host.sleep(300)
    await fileIsAbsent(workspace, 'made')
  },
  'close: spawn afterwards is refused as unavailable': async ({ shell, workspace }) => {
    await shell.close?.()
    await rejectsShell(shell.spawn('> made'), 'unavailable')
    await fileIsAbsent(workspace, 'made')
  },
  'close: after the end of a session changes nothing': async ({ shell, start }) => {
    const running = await start('echo a; exit 3')
    await running.ended()
    await shell.close?.()
    equal((await running.ended()).exitCode, 3)
    await running.process.kill('SIGKILL')
    await rejectsShell(running.process.write('x'), 'not_running')
  },
}

export const closingGroups: readonly SessionCaseGroup[] = [{ needs: ['close'], cases: closingCases }]
