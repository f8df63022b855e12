import { createMemoryFs } from '../../../../adapters/memory/index.js'
import { standard } from '../../../presets/standard.js'
import type { CreateRuntimeOptions } from '../../../runtime/compose-runtime.js'
import { createRuntime } from '../../../runtime/create-runtime.js'
import type { ToolCall } from '../../../types/tool.js'
import { createTestHost } from '../test-host.js'
import { attached } from './attach.js'
import { CassetteError } from './difference.js'
import { applyFiles } from './effects.js'
import { type Entry, parseCassette } from './format.js'
import { Tape } from './tape.js'
import { revive } from './values.js'

/** Options of `replayCassette`. Pass the preset, tools and policy of the recording. */
export interface ReplayCassetteOptions extends Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'root' | 'host'> {
  /** The secrets to remove, as in the recording. */
  readonly redact?: readonly (string | RegExp)[]
}

/** The result of `replayCassette`. */
export interface CassetteReplay {
  /** Number of replayed calls, not counting calls that tools and programs make. */
  readonly calls: number
  /** The first difference from the recording; undefined if there is none. */
  readonly difference: CassetteError | undefined
  /** Maps the path of every file, relative to the root, to its final content. */
  readonly files: Readonly<Record<string, string | Uint8Array>>
}

/**
 * Repeats the calls of a cassette over its initial files, in memory, and compares the results. Needs no model, network or shell. Pass the
 * preset, tools and policy of the recording; the preset defaults to `standard`.
 *
 * @throws CassetteError for an unreadable cassette, and for a recording whose test moved its own clock during a call
 */
export async function replayCassette(text: string, options: ReplayCassetteOptions = {}): Promise<CassetteReplay> {
  const { redact = [], ...own } = options
  const recorded = parseCassette(text)
  const { now, root = '/workspace', files, timed } = recorded.header
  const moved = timed ? -1 : recorded.entries.findIndex(({ kind, until }) => kind === 'call' && until !== undefined)
  if (moved >= 0) {
    const line = moved + 2
    throw new CassetteError(`Cannot replay line ${line}: the test moved the clock during the call. Replay the cassette in its test.`, line)
  }
  const tape = new Tape('replay', recorded, redact)
  const host = timed ? undefined : createTestHost({ now })
  const onTape = attached(
    tape,
    {
      ...(own.tools === undefined && { preset: standard() }),
      ...own,
      fs: createMemoryFs({ now: () => (host ?? tape.clock).now() }),
      root,
      ...(host && { host }),
      policy: { approve: () => false, ...own.policy },
    },
    {},
  )
  const runtime = createRuntime(onTape)
  tape.isAlone = true
  let difference: CassetteError | undefined
  let calls = 0
  let left: CassetteReplay['files'] = {}
  try {
    await applyFiles(runtime.workspace, files)
    for (const group of groupsOf(recorded.entries)) {
      if (host) await host.advance(Math.max(0, now + (group[0]?.at ?? 0) - host.now()))
      calls += group.length
      await Promise.all(group.map(({ call }) => runtime.execute(call)))
      if (tape.difference) break
    }
    left = await runtime.workspace.files()
  } finally {
    await runtime.dispose()
    // Look for unused entries only after `dispose`, which ends sessions: the recording contains entries for that too.
    difference = tape.close('model')
  }
  return { calls, difference, files: left }
}

interface Made {
  readonly call: ToolCall
  readonly at: number
}

/**
 * Groups the recorded top-level calls, so that each group contains calls that ran concurrently. Omits the ids that the runtime assigned
 * (`call_1`, `call_2`), because a replay assigns the same ids again. The runtime numbers calls of programs too, so they count here.
 */
function groupsOf(entries: readonly Entry[]): Made[][] {
  const groups: Made[][] = []
  let counted = 0
  for (const { kind, asked, at = 0, beside } of entries) {
    if (kind !== 'call') continue
    const { id, name, input, parent } = asked as unknown as Required<ToolCall> & { readonly parent?: string }
    const isCounted = id === `call_${counted + 1}`
    if (isCounted) counted++
    if (parent !== undefined) continue
    const made = { call: { name, input: revive(input), ...(!isCounted && { id }) }, at }
    if (beside) groups.at(-1)?.push(made)
    else groups.push([made])
  }
  return groups
}
