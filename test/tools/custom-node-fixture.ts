import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CreateRuntimeOptions, type CustomToolMakerOptions, createRuntime, loadCustomTools, type ToolRuntime } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { standard } from 'toolport/presets/standard'
import { INPUT } from './custom-shapes.js'
import { type Bench, benchOver } from './harness.js'

export const T = '/workspace/.toolport/tools'
export const ADD = { name: 'add', description: 'Adds', handler_code: 'return { sum: input.a + input.b }' }

/** A new directory for each test. */
export let root: string
const opened: ToolRuntime[] = []

export function freshRoot(): void {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-custom-')))
}

export async function cleanUp(): Promise<void> {
  for (const runtime of opened.splice(0)) await runtime.dispose()
  rmSync(root, { recursive: true, force: true })
}

/** Writes files to the folder of custom tools. */
export function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, '.toolport/tools', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

export function open(custom: CustomToolMakerOptions = {}, given: Partial<CreateRuntimeOptions> = {}): Bench {
  const fs = createNodeFs({ root })
  const runtime = createRuntime({ fs, root: '/workspace', preset: standard({ customTools: custom }), ...given } as CreateRuntimeOptions)
  opened.push(runtime)
  return benchOver(runtime)
}

/** The report of `loadCustomTools`, and the description, schema and result of each loaded tool. */
interface Seen {
  readonly report: unknown
  readonly tools: Readonly<Record<string, unknown>>
}

export async function see(given: Partial<CreateRuntimeOptions>, custom: CustomToolMakerOptions): Promise<Seen> {
  const { runtime, run } = open(custom, given)
  const report = await loadCustomTools(runtime, custom)
  const tools: Record<string, unknown> = {}
  for (const { name } of report.loaded) {
    const { description, inputSchema } = runtime.getModelManifest().find((entry) => entry.name === name) ?? {}
    const result = await run(name, INPUT)
    tools[name] = { description, inputSchema, result: result.ok ? result : { ...result, output: { ...result.output, callId: null } } }
  }
  return { report, tools }
}

/** The report and answers without column numbers, because engines count columns differently. */
export const places = ({ report, tools }: Seen): unknown =>
  JSON.parse(JSON.stringify({ report, tools }).replaceAll(/(\.[cm]?[jt]s:\d+):\d+\)/g, '$1)'))
