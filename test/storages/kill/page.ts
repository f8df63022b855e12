import { createRuntime, type ToolRuntime } from 'toolport'
import { standard } from 'toolport/presets/standard'
import { DURABLE_IN_CHROMIUM } from '../in-chromium.js'
import type { Entry, Tree } from './tree.js'
import { workOf } from './workload.js'

/** One entry of the storage, as the test receives it, with bytes in base64. */
export interface Shown {
  readonly path: string
  readonly kind: string
  /** The size that `lstat` returned before the content was read. */
  readonly size: number
  readonly base64?: string
}

/** `ok`, or the code of the call's error. */
export type Outcome = 'ok' | string

export interface Page {
  /** Opens the storage. With `patient`, retries while it fails with EBUSY, until the lock of a killed page is released. */
  open(storage: string, name: string, options: { readonly patient: boolean }): Promise<Outcome>
  show(): Promise<readonly Shown[]>
  /** Works in the lanes until `stop` is called or the page is killed, and reports each call that succeeds. */
  work(lanes: readonly string[], seed: number): Promise<Outcome>
  stop(): void
  call(name: string, input: unknown): Promise<Outcome>
  close(): Promise<void>
}

declare global {
  interface Window {
    killed: Page
    /** Defined by the test: reports a successful call of a lane. The lane's next call starts once this has resolved. */
    acknowledged(lane: string): Promise<void>
  }
}

let runtime: ToolRuntime | undefined
let isStopped = false

function running(): ToolRuntime {
  if (!runtime) throw new Error('The page has not opened its storage')
  return runtime
}

function codeOf(result: Awaited<ReturnType<ToolRuntime['execute']>>): Outcome {
  return result.ok ? 'ok' : String((result.output as { code?: unknown }).code)
}

async function open(storage: string, name: string, { patient }: { readonly patient: boolean }): Promise<Outcome> {
  const create = DURABLE_IN_CHROMIUM[storage]
  if (!create) throw new Error(`There is no storage ${storage}`)
  for (;;) {
    const next = createRuntime({ fs: create(name), preset: standard() })
    const outcome = codeOf(await next.execute({ name: 'list_files', input: {} }))
    if (outcome === 'ok') runtime = next
    else await next.dispose()
    if (outcome !== 'EBUSY' || !patient) return outcome
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

async function show(): Promise<Shown[]> {
  const { workspace } = running()
  const shown: Shown[] = []
  for await (const entries of workspace.walk('.', { ignore: false })) {
    for (const { path, kind } of entries) {
      const { size } = await workspace.lstat(path)
      shown.push({ path, kind, size, ...(kind === 'file' && { base64: base64Of((await workspace.readBytes(path)).bytes) }) })
    }
  }
  return shown
}

async function treeNow(): Promise<Tree> {
  const entries = (await show()).map(({ path, base64 }): [string, Entry] => [
    path,
    base64 === undefined ? 'dir' : Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)),
  ])
  return new Map(entries)
}

async function workIn(lane: string, seed: number, tree: Tree): Promise<Outcome> {
  const steps = workOf(lane, seed, tree)
  while (!isStopped) {
    const { name, input } = steps.next().value
    const result = await running().execute({ name, input })
    if (!result.ok) return `${name} ${JSON.stringify(input).slice(0, 300)}: ${codeOf(result)} ${result.error}`
    await window.acknowledged(lane)
  }
  return 'ok'
}

async function work(lanes: readonly string[], seed: number): Promise<Outcome> {
  const tree = await treeNow()
  const outcomes = await Promise.all(lanes.map((lane, i) => workIn(lane, seed + i, tree)))
  return outcomes.find((outcome) => outcome !== 'ok') ?? 'ok'
}

window.killed = {
  open,
  show,
  work,
  stop: () => {
    isStopped = true
  },
  call: async (name, input) => codeOf(await running().execute({ name, input })),
  close: async () => runtime?.dispose(),
}
