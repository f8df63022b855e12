import type { CreateRuntimeOptions, PortOption } from '../../../runtime/compose-runtime.js'
import type { Host } from '../../../types/host.js'
import type { MemoryAdapter, ModelAdapter } from '../../../types/ports.js'
import type { ApprovalRequest, RuntimeEvent } from '../../../types/runtime.js'
import type { Workspace } from '../../../types/workspace.js'
import { recordedFiles } from './effects.js'
import { recordedFetch } from './fetch.js'
import type { PortName, RecordedAdapter, RecordedFiles } from './format.js'
import { recordedJs } from './js.js'
import { missing } from './missing-port.js'
import { recordedBundler, recordedPreview } from './preview.js'
import { recordedShell } from './shell.js'
import type { Playing, Tape } from './tape.js'

/** The initial state of a recording, for `replayCassette`. */
export interface CassetteStart {
  /** Maps paths relative to the root to contents. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

export function attached(tape: Tape, options: CreateRuntimeOptions, start: CassetteStart): CreateRuntimeOptions {
  const { workspace, shell, js, fetch, model, memory, preview, bundler, policy, hooks } = options
  if (tape.isAttached) throw new TypeError('Cannot attach the cassette: it has a runtime already. Open one for each runtime.')
  tape.isAttached = true
  const host = options.host ?? workspace?.host
  tape.isTimed = host === undefined
  if (host) tape.now = () => host.now()
  if (tape.mode !== 'replay') describe(tape, options, start)
  return {
    ...options,
    // The tape always supplies the random numbers: a shell draws some from the host while recording, but does not run in a replay.
    host: host ? drawing(host, tape.clock.random) : tape.clock,
    shell: onTape(tape, 'shell', shell, (real, own) => recordedShell(tape, own, real)),
    js: onTape(tape, 'js', js, (real, own) => recordedJs(tape, own, real)),
    fetch: onTape(tape, 'fetch', fetch, (real) => recordedFetch(tape, real)),
    model: onTape(tape, 'model', model, (real = missing<ModelAdapter>('model')) => ({
      complete: ({ signal, ...request }) => tape.play('complete', request, () => real.complete({ ...request, signal })),
    })),
    memory: onTape(tape, 'memory', memory, (real = missing<MemoryAdapter>('memory')) => ({
      recall: ({ signal, ...query }) => tape.play('memory', query, () => real.recall({ ...query, signal })),
    })),
    preview: onTape(tape, 'preview', preview, (real) => recordedPreview(tape, real)),
    bundler: onTape(tape, 'bundler', bundler, (real) => recordedBundler(tape, real)),
    policy: {
      ...policy,
      ...(policy?.approve && {
        approve: ({ signal, ...request }: ApprovalRequest) =>
          tape.play('approval', request, async () => (await policy.approve?.({ ...request, signal })) === true),
      }),
    },
    hooks: { ...hooks, onEvent: listener(tape, hooks?.onEvent) },
  }
}

function describe({ header, isTimed, now, clean }: Tape, { workspace, root, fs }: CreateRuntimeOptions, { files }: CassetteStart): void {
  header.root = workspace?.root ?? root ?? fs?.suggestedRoot ?? '/workspace'
  if (isTimed) header.timed = true
  else header.now = now()
  if (files) header.files = clean(recordedFiles(files)) as RecordedFiles
}

const drawing = (host: Host, random: () => number): Host => ({
  now: () => host.now(),
  random,
  sleep: (...given) => host.sleep(...given),
  yield: () => host.yield(),
})

/** @returns undefined if the runtime, or the recording in a replay, does not have this port */
function onTape<Port extends object>(
  tape: Tape,
  name: PortName,
  option: PortOption<Port> | undefined,
  wrap: (real: Port | undefined, workspace: Workspace) => Port,
): ((workspace: Workspace) => Port) | undefined {
  const isLive = tape.mode !== 'replay'
  if (isLive ? !option : !tape.header.ports?.[name]) return undefined
  return (workspace) => {
    const real = isLive ? (typeof option === 'function' ? (option as (workspace: Workspace) => Port)(workspace) : option) : undefined
    if (real) tape.header.ports = { ...tape.header.ports, [name]: described(real) }
    return wrap(real, workspace)
  }
}

/** Reads `can` in a getter, when the cassette is written, because some adapters know their capabilities only after `open`. */
function described(adapter: RecordedAdapter): RecordedAdapter {
  return {
    ...(adapter.name !== undefined && { name: adapter.name }),
    get can() {
      return adapter.can && { ...adapter.can }
    },
    ...(adapter.spawn !== undefined && { spawn: true }),
    ...(adapter.screenshot !== undefined && { screenshot: true }),
  }
}

/** Records each call as its own entry: `asked` when the call starts, `answered` when the call ends. */
function listener(tape: Tape, others: ((event: RuntimeEvent) => void) | undefined): (event: RuntimeEvent) => void {
  const playing = new Map<string, Playing & { readonly isNested: boolean }>()
  const start = ({ callId, call: { id, name, input }, parentId }: Extract<RuntimeEvent, { type: 'call_start' }>): void => {
    const isNested = parentId !== undefined
    const isBeside = !isNested && [...playing.values()].some((other) => !other.isNested)
    try {
      const begun = tape.begin('call', { id, name, input, ...(isNested && { parent: parentId }) })
      if (isBeside && begun.isLive) begun.entry.beside = true
      playing.set(callId, { ...begun, isNested })
    } catch {
      // Ignore the error here: the tape keeps the difference, so the next port call and `close` throw it.
    }
  }
  const end = ({ callId, result }: Extract<RuntimeEvent, { type: 'call_end' }>): void => {
    const begun = playing.get(callId)
    playing.delete(callId)
    if (!begun) return
    tape.compare(begun, result)
    tape.end(begun)
  }
  return (event) => {
    if (event.type === 'call_start') start(event)
    if (event.type === 'call_end') end(event)
    others?.(event)
  }
}
