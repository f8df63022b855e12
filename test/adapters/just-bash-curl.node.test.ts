// @module-tag quickjs
import { createLocalServers, createRuntime } from 'toolport'
import { createJustBashShell, curlCommand, jsCommands } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { standard } from 'toolport/presets/standard'
import { expect, it } from 'vitest'

it('curl reaches a server started in the same script, and no other host', async () => {
  const servers = createLocalServers()
  const js = createQuickJs({ worker: false, grants: { servers } })
  const commands = [curlCommand(servers), ...jsCommands(js)]
  const runtime = createRuntime({
    fs: createMemoryFs(),
    js,
    shell: (workspace) => createJustBashShell({ scratch: createMemoryFs(), commands })(workspace),
    preset: standard(),
  })
  const bash = async (command: string) => {
    const result = await runtime.call('bash', { command, timeout_ms: 30_000 })
    return JSON.stringify(result)
  }
  try {
    await runtime.call('write_file', {
      path: 'server.mjs',
      content: `import http from 'node:http'
        http.createServer(async (q, r) => {
          if (q.url === '/old') return r.writeHead(302, { location: '/new' }).end()
          let body = ''; for await (const chunk of q) body += chunk
          r.writeHead(q.url === '/missing' ? 404 : 200, { 'x-a': '1' }).end(q.method + ' ' + q.url + ' ' + body)
        }).listen(3000, () => console.log('up'))`,
    })
    const out = await bash(`node server.mjs & until curl -s -o /dev/null localhost:3000/up; do sleep 0.1; done
curl -s localhost:3000/a; echo
curl -s -d x=1 -d y=2 http://localhost:3000/form; echo
curl -sL http://127.0.0.1:3000/old -w ' %{http_code}\\n'
curl -si http://localhost:3000/h | grep x-a
curl -sf http://localhost:3000/missing; echo "failed $?"
curl -sS http://localhost:3999/; echo "refused $?"
curl -sS https://example.com/; echo "outside $?"
curl -sS http://example.com/; echo "outside $?"
kill %1`)
    for (const expected of [
      'GET /a \\n',
      'POST /form x=1&y=2',
      'GET /new  200',
      'x-a: 1',
      'failed 22',
      'refused 7',
      'outside 1',
      'outside 6',
    ])
      expect(out).toContain(expected)
  } finally {
    await runtime.dispose()
  }
})
