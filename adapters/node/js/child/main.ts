// `node --import` loads this file before the program, and before each worker of the program.

import { closeSync, readFileSync } from 'node:fs'
import module from 'node:module'
import workers from 'node:worker_threads'
import { extendCommonJs } from './commonjs.js'
import { type SyncHooks, syncHooks } from './hooks.js'
import { type Lexer, loadLexer } from './lexer.js'
import { tellResultAtExit } from './result.js'
import { createRules } from './rules.js'
import { TASK_FD, type Task } from './task.js'
import { installTools } from './tools.js'
import { createTypeScript, type TypeScript } from './typescript.js'

/** The installed type declarations lack this function. */
const { registerHooks } = module as unknown as { readonly registerHooks?: (hooks: SyncHooks) => void }

function readTask(): Task {
  const task: Task = JSON.parse(readFileSync(TASK_FD, 'utf8'))
  closeSync(TASK_FD)
  return task
}

function install(task: Task | undefined, lexer: Lexer): void {
  const typescript: TypeScript = createTypeScript(lexer.hasModuleSyntax)
  extendCommonJs(task, typescript)
  if (registerHooks) registerHooks(syncHooks(createRules({ task, typescript, hasDefaultExport: lexer.hasDefaultExport })))
  else module.register('./thread.js', import.meta.url, { data: task })
}

/** Returns `module.exports`, or undefined if the program has exported nothing. */
function commonJsExports(): unknown {
  const exports: unknown = process.mainModule?.exports
  const isUntouched = typeof exports === 'object' && exports !== null && Object.keys(exports).length === 0
  return isUntouched && Object.getPrototypeOf(exports) === Object.prototype ? undefined : exports
}

function withholdWorkers(): void {
  workers.Worker = function Worker() {
    const refused = { code: 'ERR_ACCESS_DENIED', permission: 'WorkerThreads', resource: '' }
    throw Object.assign(new Error('Access to this API has been restricted'), refused)
  } as unknown as typeof workers.Worker
  module.syncBuiltinESMExports()
}

const lexer = await loadLexer()
if (workers.isMainThread) {
  const task = readTask()
  // Call this first, because Node 20 opens both streams when it starts the hooks thread.
  writeThrough()
  install(task, lexer)
  if (task.withholdWorkers) withholdWorkers()
  if (task.tools) installTools()
  tellResultAtExit(commonJsExports)
} else {
  install(undefined, lexer)
}
// These flags are only for this process. `fork` would pass them on to child processes.
process.execArgv = []

interface Blockable {
  readonly _handle?: { setBlocking?(blocking: boolean): void } | null
}

/**
 * Makes writes to pipes synchronous, as they are for files and terminals. Then `process.exit` loses no output, and a full pipe causes no
 * error. The streams are still created on first use, because creating them takes a while.
 */
function writeThrough(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const made = Object.getOwnPropertyDescriptor(process, name)
    if (!made?.get) continue
    const { get } = made
    Object.defineProperty(process, name, {
      ...made,
      get() {
        Object.defineProperty(process, name, made)
        const stream: Blockable = get.call(process)
        stream._handle?.setBlocking?.(true)
        return stream
      },
    })
  }
}
