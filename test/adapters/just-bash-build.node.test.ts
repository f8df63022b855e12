import { expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

it('takes the build of the package itself, which has more commands in Node', async () => {
  const { shell } = setup({ files: { 'dir/a.txt': 'packed\n' }, shell: { load: () => import('just-bash') } })
  const result = await shell.exec('tar czf dir.tgz dir; rm -r dir; tar xzf dir.tgz; cat dir/a.txt; gzip -c dir/a.txt | gunzip')
  expect(result).toMatchObject({ exitCode: 0, stdout: 'packed\npacked\n', stderr: '' })
  await shell.open?.()
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 50)
  expect(await shell.exec('echo a; while :; do :; done', { signal: stop.signal })).toMatchObject({ aborted: true, stdout: 'a\n' })
})
