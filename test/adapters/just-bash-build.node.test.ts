// @module-tag virtual-shell
import { expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { setup } from './just-bash-support.js'

it('takes the build of the package itself, which has more commands in Node', async () => {
  const { shell } = setup({ files: { 'dir/a.txt': 'packed\n' }, shell: { load: () => import('just-bash') } })
  const result = await shell.exec('tar czf dir.tgz dir; rm -r dir; tar xzf dir.tgz; cat dir/a.txt; gzip -c dir/a.txt | gunzip')
  expect(result).toMatchObject({ exitCode: 0, stdout: 'packed\npacked\n', stderr: '' })
})

it('has no hooks in it: a loop ends at its deadline, an abort comes at the next access to a file', async () => {
  const { shell } = setup({ files: { 'dir/a.txt': '' }, shell: { load: () => import('just-bash') } })
  await shell.open?.()
  const late = await withGrowingTime(
    (timeoutMs) => shell.exec('echo a; while :; do :; done', { timeoutMs }),
    ({ stdout }) => stdout !== '',
  )
  expect(late).toMatchObject({ timedOut: true, stdout: 'a\n' })
  const aborted = await withGrowingTime(
    (waitMs) => {
      const stop = new AbortController()
      setTimeout(() => stop.abort(), waitMs)
      return shell.exec('echo a; while :; do test -f a.txt; done', { signal: stop.signal })
    },
    ({ stdout }) => stdout !== '',
  )
  expect(aborted).toMatchObject({ aborted: true, stdout: 'a\n' })
})

it('tells its state after an end that is not early, and that of the beginning after an exit', async () => {
  const { shell } = setup({ files: { 'dir/a.txt': '' }, shell: { load: () => import('just-bash') } })
  expect(await shell.exec('cd dir; export A=1')).toMatchObject({ cwd: '/workspace/dir', env: { A: '1' } })
  expect(await shell.exec('cd dir; exit 3')).toMatchObject({ exitCode: 3, cwd: '/workspace' })
})

it('ends at a redirection that is refused, with its output so far', async () => {
  const { shell } = setup({ shell: { load: () => import('just-bash') } })
  expect(await shell.exec('echo a; echo b > nodir/x; echo c')).toMatchObject({
    exitCode: 1,
    stdout: 'a\n',
    stderr: 'bash: nodir/x: No such file or directory\n',
  })
})

it('has no jobs, no sessions and no state, and says so', async () => {
  const { shell } = setup({ files: { 's.sh': 'echo in & wait' }, shell: { load: () => import('just-bash') } })
  const refused = { exitCode: 1, stdout: '', stderr: expect.stringContaining('no background jobs (&)') as unknown }
  expect(await shell.exec('echo a; sleep 0 & wait')).toMatchObject(refused)
  expect(await shell.exec('if true; then f() { echo x & }; fi; echo a')).toMatchObject(refused)
  expect(await shell.exec('trap "echo x" EXIT; kill 1')).toMatchObject({ exitCode: 127 })
  await expect(shell.spawn?.('true')).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('"load"') as unknown })
  expect((await shell.exec('x=1')).state).toBeUndefined()
  const { state } = await setup().shell.exec('x=1')
  await expect(shell.exec('echo $x', { state: state ?? {} })).rejects.toMatchObject({ code: 'unavailable' })
})
