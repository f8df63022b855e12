import { equal } from '../runner.js'
import { fileIsAbsent, Listener, printed, rejectsShell, type ShellCase, type ShellCaseGroup, stopped } from './case.js'

const closingCases: Readonly<Record<string, ShellCase>> = {
  'close: exec afterwards is refused as unavailable': async ({ shell, workspace, run }) => {
    printed(await run('echo a'), 'a\n')
    await shell.close?.()
    await rejectsShell(run('> made'), 'unavailable')
    await fileIsAbsent(workspace, 'made')
  },
  'close: on a shell that was never used': async ({ shell, run }) => {
    await shell.close?.()
    await rejectsShell(run('true'), 'unavailable')
  },
  'close: may be called twice, and at the same time': async ({ shell, run }) => {
    await run('true')
    await Promise.all([shell.close?.(), shell.close?.()])
    equal(await shell.close?.(), undefined)
  },
  'close: ends what is running as aborted': async ({ shell, workspace, run }) => {
    const listener = new Listener()
    const running = Promise.all([
      run('echo before; sleep 1000; > made', { onOutput: listener.onOutput }),
      run('while :; do :; done; > made'),
    ])
    await Promise.race([listener.heard('before\n'), running])
    await shell.close?.()
    const [sleeping, looping] = await running
    stopped(sleeping, 'aborted')
    stopped(looping, 'aborted')
    equal(sleeping.stdout, 'before\n', 'what was printed before')
    await fileIsAbsent(workspace, 'made')
  },
  'close: leaves the workspace usable': async ({ shell, workspace, run }) => {
    await run('echo a > f')
    await shell.close?.()
    equal((await workspace.readText('f')).text, 'a\n')
  },
}

export const closingGroups: readonly ShellCaseGroup[] = [{ needs: ['close'], cases: closingCases }]
