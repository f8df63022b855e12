import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { core, names } from '#quickjs-guest'
import type { ModuleFault } from '../../../src/packages/modules/index.js'
import { reexportText } from '../../shared/js/rewrite-module.js'
import type { Answer } from '../answer.js'
import { type Engine, NoRoom } from '../engine/engine.js'
import type { Job } from '../job.js'
import { type MemoryBudget, mayPass } from '../memory-budget.js'
import { functionSource } from './host-calls.js'
import { BUILTIN, type Modules } from './modules.js'

/** The output operations. Their text is not limited here, because it is truncated later. */
const OUTPUT: ReadonlySet<string> = new Set(['stdout', 'stderr'])

/** Operations that use their bytes only until they answer, so the bytes need no copy. */
const READ_AT_ONCE: ReadonlySet<string> = new Set(['decode'])

/** The Node version that programs see. */
const VERSION = 'v20.20.0'

export interface GuestOptions {
  readonly engine: Engine
  readonly modules: Modules
  readonly job: Job
  readonly budget: MemoryBudget
  /** Answers every question of the guest. */
  answer(operation: string, text: string, bytes: Uint8Array | undefined): Answer
  /** Called if the engine crashes during a question. The library itself would only print the error. */
  broken(error: unknown): void
}

/** The environment of one program. */
export interface Guest {
  /**
   * Runs an operation of the guest (`guest/core.cjs`) and disposes of the handles. Returns undefined if the engine was stopped or crashed.
   */
  call(operation: string, text?: string, bytes?: Uint8Array, ...handles: QuickJSHandle[]): GuestAnswer | undefined
}

export interface GuestAnswer {
  readonly value: unknown
}

/** Stands for a text that does not fit into memory. */
export class TooLong {
  readonly length: number

  constructor(length: number) {
    this.length = length
  }
}

/** Maximum number of characters in the list of a module's export names, because a program can extend this list. */
const LONGEST_NAMES = 65_536

/** @throws the error with which the engine crashes */
export function createGuest({ engine, modules, job, budget, answer, broken }: GuestOptions): Guest {
  const { context } = engine
  // Create the key now, because it could not be created when no memory is left.
  const lengthKey = context.newString('length')
  /** Returns the length of a text, or 0 if the engine has no memory for the answer. */
  const lengthOf = (text: QuickJSHandle): number => {
    const length = context.getProp(text, lengthKey)
    const value = context.typeof(length) === 'number' ? context.getNumber(length) : 0
    length.dispose()
    return value
  }
  const asked = (operation: QuickJSHandle, text?: QuickJSHandle, bytes?: QuickJSHandle): ReturnType<typeof compiled> => {
    const name = context.getString(operation)
    const isText = text !== undefined && context.typeof(text) === 'string'
    const length = isText ? lengthOf(text) : 0
    if (!OUTPUT.has(name) && !mayPass(budget, 2 * length)) return noBuffer(context)
    const given = isText ? context.getString(text) : ''
    if (name === 'namespace') return namespaceOf(engine, given)
    if (name === 'failed') {
      if (bytes) engine.rejections.importFailed(bytes, given === 'first')
      return context.undefined
    }
    if (name === 'builtin' || name === 'compile') return compiled(engine, functionSource(name, given, modules))
    if (bytes === undefined || context.typeof(bytes) !== 'object') return handleOf(engine, answer(name, given, undefined))
    const held = context.getArrayBuffer(bytes)
    try {
      const taken = READ_AT_ONCE.has(name) ? held.value : copyOf(held.value, budget)
      return taken ? handleOf(engine, answer(name, given, taken)) : noBuffer(context)
    } finally {
      held.dispose()
    }
  }
  const call = context.newFunction('call', (operation, text, bytes) => {
    try {
      return asked(operation, text, bytes)
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error
      broken(error)
      return undefined
    }
  })
  const peek = context.newFunction('peek', (promise, wantsValue) => {
    const state = context.getPromiseState(promise)
    if (wantsValue === undefined || context.typeof(wantsValue) === 'undefined') return context.newString(state.type)
    return state.type === 'fulfilled' ? state.value : state.type === 'rejected' ? state.error : context.undefined
  })
  engine.runtime.setModuleLoader(
    (id) => {
      const source = id.startsWith(BUILTIN) ? builtinSource(id.slice(BUILTIN.length)) : modules.source(id)
      if (typeof source !== 'string') return { error: faultOf(source) }
      return hasRoomFor(engine, source) ? source : { error: new NoRoom(`${id} does not fit into the memory of this program`) }
    },
    (from, specifier) => modules.normalise(from, specifier),
  )
  const boot = unwrap(context, context.evalCode(core, 'node:internal/core', { type: 'global' }))
  const natives = unwrap(context, context.evalCode('(id) => import(id)', 'node:internal/import', { type: 'global' }))
  const settings = settingsOf(job)
  if (!hasRoomFor(engine, settings)) throw new NoRoom()
  const control = unwrap(context, context.callFunction(boot, context.undefined, call, peek, natives, context.newString(settings)))
  const textOf = (operation: string, text: QuickJSHandle): string | TooLong => {
    // Only the answer of `result` can be long. Asking for a length takes memory, so read other answers directly.
    const length = operation === 'result' ? lengthOf(text) : 0
    return mayPass(budget, 2 * length) ? context.getString(text) : new TooLong(length)
  }
  const guest: Guest = {
    call(operation, text, bytes, ...handles) {
      if (!hasRoomFor(engine, text, bytes)) throw new NoRoom()
      const given = [
        context.newString(operation),
        text === undefined ? context.undefined : context.newString(text),
        bytes === undefined ? context.undefined : context.newArrayBuffer(exact(bytes)),
        ...handles,
      ]
      const result = context.callFunction(control, context.undefined, ...given)
      for (const handle of given) if (handle !== context.undefined) handle.dispose()
      if (result.error) {
        result.error.dispose()
        return undefined
      }
      const kind = context.typeof(result.value)
      const value = kind === 'string' ? textOf(operation, result.value) : kind === 'boolean' ? context.dump(result.value) : undefined
      result.value.dispose()
      return { value }
    },
  }
  const builtinSource = (name: string): string => {
    const exported = guest.call('names', name)?.value
    return reexportText(
      `__toolport.builtin(${JSON.stringify(name)})`,
      typeof exported === 'string' && exported !== '' && exported.length <= LONGEST_NAMES ? exported.split(',') : [],
    )
  }
  const faultOf = ({ code, message }: ModuleFault): Error => {
    const error = new Error(message)
    error.name = code === 'SyntaxError' ? code : `Error [${code}]`
    return error
  }
  return guest
}

function settingsOf({ argv, env, cwd, root, now, seed, stdin, grants, memoryBytes }: Job): string {
  const { servers, invokeTool } = grants
  const fetch = grants.fetch || servers
  return JSON.stringify({
    argv,
    env,
    cwd,
    root,
    now,
    seed,
    stdin,
    fetch,
    servers,
    invokeTool,
    memoryBytes,
    builtins: names,
    version: VERSION,
  })
}

function compiled(
  engine: Engine,
  source: { readonly code: string; readonly file: string } | undefined,
): QuickJSHandle | { error: QuickJSHandle } {
  const { context } = engine
  if (!source) return { error: context.newError('there is no such module') }
  if (!hasRoomFor(engine, source.code)) return { error: context.newError({ name: 'RangeError', message: 'out of memory' }) }
  const result = context.evalCode(source.code, source.file, { type: 'global', strict: false })
  return result.error ? { error: result.error } : result.value
}

/** Evaluates an ES module that is loaded with `require`. Evaluation is synchronous if the module has no top-level await. */
function namespaceOf({ context, rejections }: Engine, path: string): QuickJSHandle | { error: QuickJSHandle } {
  const code = `export * as namespace from ${JSON.stringify(path)}`
  const result = rejections.evaluated(() => context.evalCode(code, `toolport-require:${path}`, { type: 'module' }))
  if (result.error) return { error: result.error }
  const state = context.getPromiseState(result.value)
  if (state.type === 'rejected') return { error: state.error }
  if (state.type === 'fulfilled') return context.getProp(state.value, 'namespace')
  const message = `require() cannot be used on an ESM graph with top-level await. Use import() instead. Required: ${path}`
  const error = context.newError({ name: 'Error', message })
  context.newString('ERR_REQUIRE_ASYNC_MODULE').consume((code) => context.setProp(error, 'code', code))
  return { error }
}

/** Copies bytes. Returns undefined if there is no room for the copy. */
const copyOf = (bytes: Uint8Array, budget: MemoryBudget): Uint8Array | undefined =>
  mayPass(budget, bytes.length) ? bytes.slice() : undefined

function handleOf(engine: Engine, answer: Answer): QuickJSHandle | { error: QuickJSHandle } {
  const { context } = engine
  if (answer === undefined) return context.undefined
  const [text, bytes] = typeof answer === 'string' ? [answer] : [undefined, answer]
  if (!hasRoomFor(engine, text, bytes)) return noBuffer(context)
  return typeof answer === 'string' ? context.newString(answer) : context.newArrayBuffer(exact(answer))
}

const noBuffer = (context: QuickJSContext): { error: QuickJSHandle } => ({
  error: context.newError({ name: 'RangeError', message: 'Array buffer allocation failed' }),
})

/** Counts a text twice, because it passes through the engine's memory as UTF-8. */
const hasRoomFor = ({ hasRoom }: Engine, text: string | undefined, bytes?: Uint8Array): boolean =>
  hasRoom(2 * (text?.length ?? 0) + (bytes?.length ?? 0))

const exact = (bytes: Uint8Array): ArrayBuffer =>
  (bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer) as ArrayBuffer

function unwrap(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
  if (!result.error) return result.value
  const error = context.dump(result.error) as { message?: string; stack?: string } | null
  throw new Error(`the guest environment does not start: ${error?.message ?? 'out of memory'}\n${error?.stack ?? ''}`)
}
