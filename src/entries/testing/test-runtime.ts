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
  /** Records the runtime's requests, or replays recorded answers (`openCassette`). */
  readonly cassette?: Pick<Cassette, 'attach'>
}

/** A call that has ended. */
export interface MadeCall {
  /** The model's, or `call_1`, `call_2`, ... by the runtime. */
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly result: ToolResult
}

/** A runtime over a test workspace, with the calls it has executed. */
export interface TestRuntime extends TestWorkspace {
  readonly runtime: ToolRuntime
  /** Completed calls in the order of their start, including calls that tools and programs make. */
  readonly calls: readonly MadeCall[]
}

/**
 * A runtime over an in-memory workspace with a deterministic clock, randomness and ids: the same calls give the same bytes in every run and
 * JavaScript runtime. Tools default to the preset `standard`; there is no shell and no JavaScript unless `shell` or `js` is passed.
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
  /** Where the calls that run will be in `calls`, which has them in the order of their starts. */
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
    // Models call tools by their aliases.
    const name = runtime.registry.find(call.name)?.name ?? call.name
    calls.splice(at, 0, { id: callId, name, input: call.input, result })
  })
  return { ...test, runtime, calls }
}
