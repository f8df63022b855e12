import type { ToolRuntime } from 'toolport'
import wasm from 'toolport/adapters/quickjs/wasm'
import { createWorkerRuntime, type WorkerRuntimeOptions } from 'toolport/cloudflare'
import type { Env } from '../env.js'
import type { Settings } from '../settings.js'
import { type ProgramTurns, Turns } from './turns.js'

type WebSearch = NonNullable<WorkerRuntimeOptions['webSearch']>

/** Shared by all objects of this isolate, because they share one thread. Created by the first object, which passes the settings. */
let turns: Turns | undefined

/** The scheduler of one workspace's programs. */
export function turnsOf({ id }: DurableObjectState, settings: Settings, options?: { readonly queued: boolean }): () => ProgramTurns {
  turns ??= new Turns(settings)
  const shared = turns
  return () => shared.of(id.toString(), options)
}

/** Creates the tools of one workspace on the object's own SQLite. The storage opens lazily, at the first call. */
export function createTools(ctx: DurableObjectState, env: Env, settings: Settings): ToolRuntime {
  const { MAX_BYTES, MAX_FILES, MAX_SESSIONS, KEEP_SESSIONS, SESSION_IDLE_MS } = settings
  const webSearch = webSearchOf(env)
  return createWorkerRuntime(ctx, {
    storage: 'durable',
    quotas: { bytes: MAX_BYTES, files: MAX_FILES },
    sessions: { max: MAX_SESSIONS, keepEnded: KEEP_SESSIONS, idleMs: SESSION_IDLE_MS },
    js: env.LOADER ? { loader: env.LOADER } : { wasm, turns: turnsOf(ctx, settings) },
    ...(webSearch && { webSearch }),
    ...(env.REGISTRY && { jsTools: { registry: env.REGISTRY } }),
  })
}

function webSearchOf({ SEARCH_PROXY, SEARCH_PROVIDER = 'google', SEARCH_TOKEN }: Env): WebSearch | undefined {
  if (!SEARCH_PROXY) return undefined
  const search = { provider: SEARCH_PROVIDER as WebSearch['provider'], baseUrl: SEARCH_PROXY }
  return SEARCH_TOKEN ? { ...search, headers: { authorization: `Bearer ${SEARCH_TOKEN}` } } : search
}
