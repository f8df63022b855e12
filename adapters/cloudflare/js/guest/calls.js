// Answers calls of the guest environment: directly, or by asking the host.

import { builtins } from '#builtins'
import { createFiles, createLater, createMemoryBudget, failed } from '#parts'
import { natives } from './natives.js'

/** Thrown to end the program. The isolate is not stopped instead, because its output would be lost. */
export class Ended extends Error {
  constructor() {
    super('the program has ended')
    this.name = 'Ended'
  }
}

export function createCalls({ job, snapshot, state, line, modules, clock }) {
  const services = createServices(line)
  const files = snapshot ? createFiles({ ...job, snapshot }, services, createMemoryBudget(job.fileBytes)) : undefined
  const table = {
    graph: undefined,
    add(_, specifier, from, kind, resolution) {
      if (!resolution.path || modules.has(resolution.path)) modules.add(specifier, from, kind, resolution)
    },
  }
  // Unlimited, because the platform already limits the isolate's memory.
  const later = createLater({ modules: table, services, files, budget: createMemoryBudget(Infinity) })
  const end = () => {
    state.ended = true
    throw new Ended()
  }
  const noFiles = () => failed({ name: 'Error', message: 'Cannot use files: this program is granted none', code: 'ERR_ACCESS_DENIED' })
  const operations = {
    stdout: (text) => line.write('stdout', JSON.parse(text)),
    stderr: (text) => line.write('stderr', JSON.parse(text)),
    wants(text) {
      state.wantsInput = text === 'true'
    },
    later: (text, bytes) => later.ask(text, bytes && new Uint8Array(bytes)),
    full: () => 'false',
    exit(text) {
      state.exitCode ??= Number(text)
      end()
    },
    killed(text) {
      state.signal ??= text
      end()
    },
    clock: () => String(clock()),
    memory: () => String(job.memoryBytes),
    encode: (json) => new TextEncoder().encode(JSON.parse(json)).buffer,
    resolve(json) {
      const { specifier, from, kind } = JSON.parse(json)
      return JSON.stringify(modules.resolve(specifier, from, kind) ?? null)
    },
    module(json) {
      const path = JSON.parse(json)
      const module = modules.find(path)
      if (!module) return failed({ name: 'Error', message: `Cannot find module '${path}'`, code: 'MODULE_NOT_FOUND' })
      return JSON.stringify({ kind: module.kind, error: module.error })
    },
    text: (json) => JSON.stringify(modules.find(JSON.parse(json))?.text ?? ''),
    fs(json, bytes) {
      if (!files) return noFiles()
      const answer = files.now(JSON.parse(json), bytes && new Uint8Array(bytes))
      return answer instanceof Uint8Array ? exact(answer) : answer
    },
    builtin: (name) => builtinOf(name),
    compile: (path) => modules.compile(path),
    namespace: (path) => modules.namespace(path),
  }
  return {
    later,
    files,
    call(operation, text, bytes) {
      if (state.ended) throw new Ended()
      // Operations that only other engines need are ignored.
      return Object.hasOwn(operations, operation) ? operations[operation](text, bytes) : undefined
    },
  }
}

const exact = (bytes) => (bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer)

/** Returns the function that creates one of Node's modules. */
function builtinOf(name) {
  if (Object.hasOwn(builtins, name)) return builtins[name]
  if (Object.hasOwn(natives, name)) {
    return (_, __, module) => {
      module.exports = natives[name]
    }
  }
  throw new Error(`No such built-in module: ${name}`)
}

/** Returns the host's services. The host sends errors as plain data, because an error that crosses an RPC call loses its properties. */
function createServices(line) {
  const asked = async (operation, input, bytes) => {
    const { error, value } = await line.ask((host) => host.ask(operation, input, bytes))
    if (error) throw Object.assign(new Error(error.message), { name: error.name, ...(error.code && { code: error.code }) })
    return value
  }
  return {
    async extend(specifier, from) {
      return { resolution: await asked('extend', { specifier, from }), added: new Map() }
    },
    file: (question) => asked('file', question),
    fetch: (request, body) => asked('fetch', request, body),
    async invokeTool(call) {
      const text = await asked('invokeTool', call)
      return text === undefined ? undefined : JSON.parse(text)
    },
  }
}
