// @module-tag webcontainer
import { createWorkspace, type JsAdapter, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createWebContainerFs, createWebContainerJs } from 'toolport/adapters/webcontainer'
import { expect, test } from 'vitest'
import { FakeContainer, WORKDIR } from './webcontainer-fake.js'
import type { Program } from './webcontainer-fake-processes.js'

// Tests only the adapter's side: a function plays the role of the program in the container. webcontainer-js.node.test.ts runs real programs
// in Node.

interface Setup {
  readonly container: FakeContainer
  readonly workspace: Workspace
  readonly js: JsAdapter
}

interface Task {
  readonly start: string
  readonly script: string
  readonly args: readonly string[]
  readonly stdin: string
}

interface Played {
  readonly task: Task
  /** Sends a message as the script would. */
  send(kind: string, text: string): void
  /** The next message that is posted to the program. */
  post(): Promise<unknown>
  readonly signal: AbortSignal
  print(text: string): void
}

function setup(play: (played: Played) => Promise<number> | number): Setup {
  const container = new FakeContainer()
  container.processes.commands.set('node', playing(container, play))
  const workspace = createWorkspace({ fs: createWebContainerFs({ container: container.api, root: 'project' }), root: `${WORKDIR}/project` })
  return { container, workspace, js: createWebContainerJs()(workspace) }
}

function playing(container: FakeContainer, play: (played: Played) => Promise<number> | number): Program {
  return async ({ args: [script = ''], terminal, signal }) => {
    const folder = script.slice(WORKDIR.length + 1, script.lastIndexOf('/'))
    const task: Task = JSON.parse(container.at(`${folder}/task.json`) ?? '')
    let posts = 0
    return play({
      task,
      signal,
      print: (text) => terminal.print(text),
      send: (kind, text) => terminal.print(`${task.start}${kind}:${base64(text)}>`),
      async post() {
        const path = `${folder}/${++posts}.json`
        while (!container.at(path)) await new Promise((resolve) => setTimeout(resolve, 1))
        return JSON.parse(container.at(path) ?? '')
      },
    })
  }
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const privateNames = (container: FakeContainer): string[] => [...container.root.entries.keys()].filter((name) => name.startsWith('.'))

test('a program is sent with its input, its messages are received, and no files are left', async () => {
  let seen: unknown
  const { js, container } = setup(({ task, send, print }) => {
    seen = [task.script, task.args, task.stdin]
    send('1', 'grün 🙂\n')
    send('2', 'err')
    print(' raw\n')
    send('m', '{"res')
    send('M', 'ult":[1]}')
    send('M', '{"exit":3}')
    return 3
  })
  for (const chunk of [1, 2, 5, 1000]) {
    container.processes.faults = { chunk }
    const result = await js.run({ code: 'x', args: ['a'], stdin: 'in', env: { A: 'b' } })
    expect(result).toEqual({
      exitCode: 3,
      stdout: 'grün 🙂\n',
      stderr: 'err raw\n',
      result: [1],
      timedOut: false,
      aborted: false,
      truncated: false,
    })
  }
  expect(seen).toEqual([`${WORKDIR}/project/[eval].mjs`, ['a'], 'in'])
  const { command, args, options } = container.processes.spawned[0] ?? {}
  expect([command, args?.length, options?.cwd, options?.env]).toMatchObject([
    'node',
    1,
    'project',
    { A: 'b', PATH: '/usr/bin:/bin', TERM: 'dumb' },
  ])
  expect(privateNames(container)).toEqual([])
})

test('frames that the terminal wraps are decoded, and incomplete ones are text', async () => {
  const { js } = setup(({ task, send, print }) => {
    for (const character of `${task.start}1:${base64('one two three')}>`) print(character)
    print(`${task.start}1:${base64('four').slice(0, 3)}\n${base64('four').slice(3)}>`)
    print(`${task.start}9:x> <toolport:`)
    send('1', '!')
    print(`${task.start}1:AA`)
    return 0
  })
  expect(await js.run({ code: '' })).toMatchObject({
    stdout: 'one two threefour!',
    stderr: expect.stringMatching(/^<toolport:[^:]+:9:x> <toolport:$/),
  })
})

test('invalid messages are ignored', async () => {
  const { js } = setup(({ send }) => {
    for (const text of [
      '',
      '{',
      'null',
      '5',
      '[]',
      '{"call":"x"}',
      '{"call":1}',
      '{"exit":"x"}',
      '{"taken":{}}',
      '{"call":1,"name":"tool"}',
    ])
      send('M', text)
    return 0
  })
  expect(await js.run({ code: '' })).toEqual({ exitCode: 0, stdout: '', stderr: '', timedOut: false, aborted: false, truncated: false })
})

test('an overlong message is dropped', async () => {
  const { js } = setup(({ send }) => {
    const piece = 'x'.repeat(32 * 1024)
    send('m', '{"result":"')
    for (let sent = 0; sent <= 16 * 1024 * 1024; sent += piece.length) send('m', piece)
    send('M', '"}')
    send('M', '{"exit":2}')
    return 2
  })
  const result = await js.run({ code: '' })
  expect(result).toMatchObject({ exitCode: 2, stdout: '', stderr: '' })
  expect(result).not.toHaveProperty('result')
})

test('tool calls are answered in files', async () => {
  const posts: unknown[] = []
  const { js } = setup(async ({ send, post }) => {
    send('M', '{"call":1,"name":"a","input":{"n":1}}')
    posts.push(await post())
    send('M', '{"call":2,"name":"throws"}')
    posts.push(await post())
    send('M', '{"call":3,"name":"circle"}')
    posts.push(await post())
    return 0
  })
  const invokeTool = async (name: string, input: unknown): Promise<unknown> => {
    if (name === 'throws') throw Object.assign(new Error('no'), { code: 'not_found' })
    const circle: Record<string, unknown> = {}
    circle.self = circle
    return name === 'circle' ? circle : { name, input }
  }
  await js.run({ code: '', grants: { invokeTool } })
  expect(posts).toEqual([
    { call: 1, output: { name: 'a', input: { n: 1 } } },
    { call: 2, error: { name: 'Error', message: 'no', code: 'not_found' } },
    { call: 3, error: { name: 'TypeError', message: expect.stringContaining('circular') } },
  ])
})

test('session input is sent in files, and the unread amount is tracked', async () => {
  const { js, container } = setup(async ({ send, post, signal }) => {
    send('1', JSON.stringify(await post()))
    send('M', '{"taken":1}')
    send('1', JSON.stringify(await post()))
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return Number(signal.reason)
  })
  let text = ''
  let tell = (): void => {}
  const process = await js.spawn?.({
    code: '',
    onOutput: (output) => {
      text += output.text
      tell()
    },
  })
  const heard = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      tell = () => text.includes(wanted) && resolve()
      tell()
    })
  await process?.write('one')
  await heard('{"stdin":"one"}')
  await process?.closeInput?.()
  await heard('{"closed":true}')
  await process?.kill('SIGINT')
  expect(await process?.exited).toEqual({ exitCode: 130, signal: 'SIGINT' })
  expect(privateNames(container)).toEqual([])
})

test('an abort returns the output so far', async () => {
  for (const kill of [undefined, 'nothing'] as const) {
    const { js, container } = setup(async ({ send, signal }) => {
      send('1', 'begun')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return Number(signal.reason)
    })
    if (kill) container.processes.faults = { kill }
    const controller = new AbortController()
    const result = await js.run({ code: '', signal: controller.signal, onOutput: () => controller.abort() })
    expect(result).toMatchObject({ aborted: true, exitCode: null, stdout: 'begun' })
    await js.close?.()
    expect(privateNames(container)).toEqual([])
  }
})

test('an aborted program is not spawned', async () => {
  const { js, container } = setup(() => 0)
  expect(await js.run({ code: '', signal: AbortSignal.abort() })).toMatchObject({ aborted: true, exitCode: null })
  await js.close?.()
  expect(container.processes.spawned).toEqual([])
  expect(privateNames(container)).toEqual([])
})

test('imported packages are resolved by the import conditions, and modules know their own URL', async () => {
  const { js, workspace, container } = setup(({ send, task }) => {
    const folder = [...container.root.entries.keys()].find((name) => name.startsWith('.'))
    send('1', container.at(`${folder}/program.mjs`) ?? '')
    return task.script.endsWith('/a b/x.mjs') ? 0 : 1
  })
  await workspace.writeText('node_modules/p/package.json', '{"exports":{"import":"./e.mjs","require":"./c.cjs"}}')
  await workspace.writeText('node_modules/p/e.mjs', '')
  const { stdout, exitCode } = await js.run({
    filename: 'a b/x.mjs',
    code: `import p from 'p'; import './it\\'s.mjs'; import f from "fs"; export * from '../y.mjs'; import.meta.url; import(f); 'import(x)' // import 'p'`,
  })
  const base = `file://${WORKDIR}/project`
  expect(exitCode).toBe(0)
  expect(stdout).toBe(
    `import p from '${base}/node_modules/p/e.mjs'; import '${base}/a%20b/it%27s.mjs'; import f from "fs"; export * from '${base}/y.mjs'; meta_.url; load(f); 'import(x)' // import 'p'\n` +
      `import { load as load, meta as meta_ } from './support.mjs'\n//# sourceURL=${base}/a%20b/x.mjs`,
  )
})

test('a program in a mounted storage is rejected with ENOTSUP', async () => {
  const { container } = setup(() => 0)
  const fs = createWebContainerFs({ container: container.api, root: 'project' })
  const workspace = createWorkspace({ fs, mounts: { docs: createMemoryFs({ files: { 'a/b.mjs': 'x' } }) } })
  const js = createWebContainerJs()(workspace)
  expect(await js.run({ code: '' })).toMatchObject({ exitCode: 0 })
  for (const program of [{ entry: 'docs/a/b.mjs' }, { code: '', cwd: 'docs/a' }]) {
    await expect(js.run(program)).rejects.toMatchObject({ name: 'FsError', code: 'ENOTSUP' })
  }
})

test('the first program boots the container, and the next one retries a failed boot', async () => {
  const { container } = setup(({ send }) => {
    send('1', 'x')
    return 0
  })
  let boots = 0
  const boot = async (): Promise<FakeContainer['api']> => {
    if (++boots === 1) throw new Error('no network')
    return container.api
  }
  const js = createWebContainerJs()(createWorkspace({ fs: createWebContainerFs({ container: boot, root: 'project' }) }))
  expect(boots).toBe(0)
  await expect(js.run({ code: '' })).rejects.toMatchObject({
    name: 'JsError',
    code: 'unavailable',
    message: expect.stringContaining('program'),
  })
  expect(await js.run({ code: '' })).toMatchObject({ stdout: 'x' })
  expect(boots).toBe(2)
  const { fs, mount } = container.api
  const bare = createWebContainerJs()(createWorkspace({ fs: createWebContainerFs({ container: { fs, mount }, root: 'project' }) }))
  await expect(bare.open?.()).rejects.toMatchObject({ name: 'JsError', code: 'unavailable', message: expect.stringContaining('spawn') })
})

test('concurrent programs are independent until close()', async () => {
  const { js, container } = setup(async ({ task, send, post, signal }) => {
    if (task.args[0] === 'waits') await new Promise((resolve) => signal.addEventListener('abort', resolve))
    send('M', `{"call":1,"name":"tool ${task.args[0]}"}`)
    send('1', JSON.stringify(await post()))
    return 0
  })
  const invokeTool = async (name: string): Promise<string> => `of ${name}`
  const results = await Promise.all(Array.from({ length: 20 }, (_, i) => js.run({ code: '', args: [String(i)], grants: { invokeTool } })))
  expect(results.map(({ stdout }) => JSON.parse(stdout).output)).toEqual(Array.from({ length: 20 }, (_, i) => `of tool ${i}`))
  const waiting = js.run({ code: '', args: ['waits'] })
  await expect.poll(() => container.processes.spawned.length).toBe(21)
  await js.close?.()
  expect(await waiting).toMatchObject({ aborted: true, exitCode: null })
  await expect(js.run({ code: '' })).rejects.toMatchObject({ name: 'JsError', code: 'unavailable' })
  await expect(js.spawn?.({ code: '' })).rejects.toMatchObject({ name: 'JsError', code: 'unavailable' })
  await expect(js.open?.()).rejects.toMatchObject({ name: 'JsError', code: 'unavailable' })
  expect(privateNames(container)).toEqual([])
})
