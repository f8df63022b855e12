import type { CreateRuntimeOptions } from '../../runtime/compose-runtime.js'
import { createRuntime } from '../../runtime/create-runtime.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { Host } from '../../types/host.js'
import type { ToolResult } from '../../types/tool.js'
import { type DefaultToolsOptions, defaultTools } from '../shared/default-tools.js'
import type { Cassette } from './cassette/cassette.js'
import { createTestHost, type TestHostOptions } from './test-host.js'
import { type TestWorkspace, type TestWorkspaceOptions, workspaceOn } from './test-workspace.js'

/** Options of `createTestRuntime`: those of `createRuntime`, with initial files and a deterministic host. */
export interface TestRuntimeOptions
  extends TestHostOptions,
    Pick<TestWorkspaceOptions, 'files' | 'faults'>,
    Pick<DefaultToolsOptions, 'webSearch' | 'jsTools' | 'customTools'>,
    Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'host'> {
  /** The cassette that records the runtime's requests or replays recorded answers (`openCassette`). */
  readonly cassette?: Pick<Cassette, 'attach'>
}

/** A finished call. */
export interface MadeCall {
  /** The model's id, or `call_1`, `call_2`, ... from the runtime. */
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly result: ToolResult
}

/** A runtime over a test workspace, with a list of its calls. */
export interface TestRuntime extends TestWorkspace {
  readonly runtime: ToolRuntime
  /** Finished calls in the order of their start, including calls that tools and programs make. */
  readonly calls: readonly MadeCall[]
}

/**
 * Creates a runtime over an in-memory workspace with a deterministic clock, random numbers and ids: the same calls return the same bytes in
 * every run and every JavaScript runtime. Tools default to the preset `standard`. There is no shell and no JavaScript unless you pass
 * `shell` or `js`.
 *
 * @throws TypeError, RangeError for invalid options, as `createRuntime`
 */
export const createTestRuntime = ({ now, seed, ...options }: TestRuntimeOptions = {}): TestRuntime =>
  runtimeOn(createTestHost({ now, seed }), options)

export function runtimeOn<Clock extends Host>(
  host: Clock,
  options: Omit<TestRuntimeOptions, keyof TestHostOptions>,
): Omit<TestRuntime, 'host'> & { readonly host: Clock } {
  const { files, faults, root, cwd, quotas, mounts, checkpoints, policy, cassette, ...others } = options
  const { keep, bytes, ...automatic } = checkpoints ?? {}
  const { paths, readOnly, ...rules } = policy ?? {}
  const test = workspaceOn(host, {
    files,
    ...(faults && { faults }),
    cwd,
    quotas,
    mounts,
    ...(root !== undefined && { root }),
    checkpoints: { keep, bytes },
    policy: { paths, readOnly },
  })
  const { workspace } = test
  const own = { ...others, ...defaultTools({ ...others, host }), workspace, policy: rules, checkpoints: automatic }
  const runtime = createRuntime(cassette ? cassette.attach(own, { files }) : own)
  const calls: MadeCall[] = []
  /** The start number of each running call, because `calls` lists calls in the order of their start. */
  const running = new Map<string, number>()
  const starts: number[] = []
  let started = 0
  runtime.on((event) => {
    if (event.type === 'call_start') running.set(event.callId, started++)
    if (event.type !== 'call_end') return
    const { callId, call, result } = event
    const start = running.get(callId) ?? started
    running.delete(callId)
    let at = starts.length
    while (at > 0 && (starts[at - 1] ?? 0) > start) at--
    starts.splice(at, 0, start)
    // Models may call a tool by its alias.
    const name = runtime.registry.find(call.name)?.name ?? call.name
    calls.splice(at, 0, { id: callId, name, input: call.input, result })
  })
  return { ...test, runtime, calls }
}
