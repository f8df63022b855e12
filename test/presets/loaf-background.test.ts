// @module-tag loaf
import { createRuntime, toModelText } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createLoaf, loaf } from 'toolport/presets/loaf'
import { expect, it } from 'vitest'
import { backgroundTests } from './loaf-background-cases.js'

backgroundTests('virtual shell', (options, change) =>
  createLoaf({
    ...options,
    fs: createMemoryFs(),
    shell: (workspace) => change(createJustBashShell({ scratch: createMemoryFs() })(workspace)),
  }),
)

it('the preset has the background tools too, with status and code added to the documented failure cap:55', async () => {
  const shell = createJustBashShell({ scratch: createMemoryFs() })
  const runtime = createRuntime({ fs: createMemoryFs(), shell, preset: loaf() })
  const started = await runtime.execute({ name: 'bash', input: { command: 'exit 3', run_in_background: true } })
  expect(started).toMatchObject({ ok: true, output: { status: 'started', transport: 'pipe', full_terminal: false } })
  const [session] = runtime.sessions.list()
  await session?.exited

  const unknown = { name: 'stop_background_bash', input: { session_id: 'none' } }
  expect(await runtime.execute(unknown)).toMatchObject({ ok: false, output: { status: 'invalid_input', code: 'unknown_session' } })
  const write = { name: 'write_background_bash', input: { session_id: session?.id, input: 'x' } }
  const result = await runtime.execute(write)
  expect(result).toMatchObject({ ok: false, output: { status: 'error', code: 'not_running' } })
  expect(toModelText(result)).toMatch(/^Error: background bash session is not running/)
  expect(runtime.toWire(result, write)).toMatchObject({ ok: false, output: { status: 'not_running', exit_code: 3 } })

  const resize = await runtime.execute({ name: 'resize_background_bash', input: { session_id: session?.id, cols: 80, rows: 24 } })
  expect(resize).toMatchObject({ ok: false, output: { status: 'unsupported', code: 'unsupported' } })
  await runtime.dispose()
})

it.each([
  ['stop_background_bash', 'shell'],
  ['stop_background_js', 'js'],
])('%s names the missing adapter', async (name, capability) => {
  const runtime = createRuntime({ fs: createMemoryFs(), preset: loaf() })
  const result = await runtime.execute({ name, input: { session_id: 'bash1' } })
  expect(result).toMatchObject({ ok: false, output: { code: 'unsupported', capability } })
})
