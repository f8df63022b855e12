// @module-tag virtual-shell
import { expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { setup } from './just-bash-support.js'

it('the `load` option accepts the Node build of just-bash with its additional commands', async () => {
  const { shell } = setup({ files: { 'dir/a.txt': 'packed\n' }, shell: { load: () => import('just-bash') } })
  const result = await shell.exec('tar czf dir.tgz dir; rm -r dir; tar xzf dir.tgz; cat dir/a.txt; gzip -c dir/a.txt | gunzip')
  expect(result).toMatchObject({ exitCode: 0, stdout: 'packed\npacked\n', stderr: '' })
})

it('a foreign build stops a loop at its deadline, and on abort at the next file access', async () => {
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

it('a foreign build reports its state after a normal end, and the initial state after exit', async () => {
  const { shell } = setup({ files: { 'dir/a.txt': '' }, shell: { load: () => import('just-bash') } })
  expect(await shell.exec('cd dir; export A=1')).toMatchObject({ cwd: '/workspace/dir', env: { A: '1' } })
  expect(await shell.exec('cd dir; exit 3')).toMatchObject({ exitCode: 3, cwd: '/workspace' })
})

it('a foreign build ends at a rejected redirection and keeps the earlier output', async () => {
  const { shell } = setup({ shell: { load: () => import('just-bash') } })
  expect(await shell.exec('echo a; echo b > nodir/x; echo c')).toMatchObject({
    exitCode: 1,
    stdout: 'a\n',
    stderr: 'bash: nodir/x: No such file or directory\n',
  })
})

it('a foreign build rejects background jobs, sessions and state', async () => {
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
