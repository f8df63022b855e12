import type { JsAdapter, JsGrants, JsProgram, JsResult } from '../../../types/js.js'
import type { FetchRequest } from '../../../types/ports.js'
import type { JsonValue } from '../../../types/tool.js'
import type { Workspace } from '../../../types/workspace.js'
import { applyFiles, Effects } from './effects.js'
import { askedOf } from './fetch.js'
import type { Entry } from './format.js'
import { missing } from './missing-port.js'
import { playProcess } from './process.js'
import { plain, tellOutput } from './shell.js'
import type { Tape } from './tape.js'
import { revive } from './values.js'

/** Records or replays JavaScript programs. `real` is missing in a replay. */
export function recordedJs(tape: Tape, workspace: Workspace, real: JsAdapter | undefined): JsAdapter {
  const known = tape.header.ports?.js
  const js: JsAdapter = real ?? missing('js')
  const hasSpawn = real ? real.spawn !== undefined : known?.spawn === true
  return {
    name: real?.name ?? known?.name ?? 'cassette',
    get can() {
      return real?.can ?? { ...NO_JS, ...known?.can }
    },
    open: async () => real?.open?.(),
    close: async () => real?.close?.(),
    run: (program) =>
      tape.play<JsResult>(
        'js',
        askedFor(program),
        async (entry) => {
          const effects = new Effects(workspace)
          await effects.mark()
          const result = await js.run({ ...program, grants: recordedGrants(tape, effects, entry, program.grants) })
          const changed = await effects.changes()
          if (changed) entry.changed = tape.clean(changed) as typeof changed
          return result
        },
        async (entry) => {
          await replayGrants(workspace, entry, program)
          await applyFiles(workspace, entry.changed)
          tellOutput(entry.answered as unknown as JsResult, program.onOutput)
        },
      ),
    ...(hasSpawn && {
      spawn: (program) =>
        // biome-ignore lint/style/noNonNullAssertion: `hasSpawn` has looked.
        playProcess(tape, workspace, { js: askedFor(program) }, program, (own) => js.spawn!({ ...program, ...own })),
    }),
  }
}

const NO_JS = { hardKill: true, memoryCap: true, nodeApi: false, isolated: true } as const

function askedFor(program: JsProgram): object {
  const { grants = {}, ...others } = plain(program) as JsProgram
  const { fs, fetch, invokeTool } = grants
  return { ...others, grants: { fs, ...(fetch && { fetch: true }), ...(invokeTool && { invokeTool: true }) } }
}

/** Records each use of a grant, together with the files that the program had changed before. */
function recordedGrants(tape: Tape, effects: Effects, entry: Entry, grants: JsGrants = {}): JsGrants {
  const { fetch, invokeTool } = grants
  const note = async (asked: { readonly invoke: unknown } | { readonly fetch: unknown }): Promise<void> => {
    const changed = await effects.changes()
    entry.events = [...(entry.events ?? []), tape.clean({ changed, ...asked }) as object]
  }
  return {
    ...grants,
    ...(invokeTool && {
      invokeTool: async (name, input, options) => {
        await note({ invoke: { name, input } })
        try {
          return await invokeTool(name, input, options)
        } finally {
          await effects.mark()
        }
      },
    }),
    ...(fetch && {
      fetch: {
        name: fetch.name,
        fetch: async (request) => {
          await note({ fetch: askedOf(request) })
          return fetch.fetch(request)
        },
      },
    }),
  }
}

/** Repeats what the program did: runs its tool calls, and answers its requests from the cassette. */
async function replayGrants(workspace: Workspace, { events = [] }: Entry, { grants = {}, signal }: JsProgram): Promise<void> {
  for (const { changed, invoke, fetch } of events) {
    await applyFiles(workspace, changed)
    // Ignore failures: the recorded result shows what the program did about them.
    if (invoke) {
      const { name, input } = invoke as { readonly name: string; readonly input: JsonValue }
      await grants.invokeTool?.(name, input, { signal: signal ?? new AbortController().signal }).catch(() => undefined)
    }
    if (fetch) await grants.fetch?.fetch(requestOf(fetch as object)).catch(() => undefined)
  }
}

function requestOf({ url = '', method, body }: { readonly url?: string; readonly method?: string; readonly body?: unknown }): FetchRequest {
  return { url, method, ...(body !== undefined && { body: sent(revive(body)) }) }
}

const sent = (body: unknown): unknown => (typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))
