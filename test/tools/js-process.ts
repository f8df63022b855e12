import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { JsAdapter, JsGrants, JsProgram, JsResult, ShellExit, ShellProcess, Workspace } from 'toolport'
import { HeadTail, streamNote } from '../../src/ops/truncate.js'

/** Records what each program was granted. */
export interface ProcessJs extends JsAdapter {
  readonly granted: JsGrants[]
}

export interface ProcessJsOptions {
  readonly isolated?: boolean
}

/**
 * Runs programs in child processes of Node in a real directory: the smallest adapter for tests of the tools. `invokeTool` and the default
 * export use the channel between the processes.
 */
export function processJs(root: string, { isolated = true }: ProcessJsOptions = {}): (workspace: Workspace) => ProcessJs {
  return (workspace) => {
    const granted: JsGrants[] = []
    const running = new Set<ChildProcess>()
    const start = (program: JsProgram): ChildProcess => {
      const { grants = {}, cwd = workspace.cwd, args = [] } = program
      granted.push(grants)
      const child = launch({ ...program, cwd: realOf(workspace, root, cwd), args }, workspace, root)
      running.add(child)
      child.once('close', () => running.delete(child))
      serve(child, grants, program.signal)
      return child
    }
    return {
      name: 'process',
      can: { hardKill: true, memoryCap: false, nodeApi: true, isolated },
      granted,
      async run(options) {
        const child = start(options)
        return resultOf(child, options)
      },
      async spawn(program) {
        const child = start(program)
        await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
        return processOf(child, program)
      },
      async close() {
        for (const child of running) child.kill('SIGKILL')
      },
    }
  }
}

const realOf = (workspace: Workspace, root: string, path: string): string =>
  join(root, workspace.resolve(path).slice(workspace.root.length))

const RUNNER = `
const calls = new Map(); let last = 0
globalThis.invokeTool = process.env.JS_TOOLS ? (name, input) => new Promise((resolve, reject) => {
  const id = ++last; calls.set(id, { resolve, reject }); process.send({ id, name, input })
}) : undefined
if (!process.env.JS_TOOLS) delete globalThis.invokeTool
process.on('message', ({ id, output, error, name, code }) => {
  const call = calls.get(id); calls.delete(id)
  if (error === undefined) call.resolve(output); else call.reject(Object.assign(new Error(error), { name, code }))
  if (calls.size === 0) process.channel.unref()
})
process.channel?.unref()
const send = process.send
process.send = function (message, done) { process.channel.ref(); return send.call(process, message, done) }
const module = await import(process.env.JS_ENTRY)
let result
if ('default' in module && !process.env.JS_CJS) try { result = JSON.parse(JSON.stringify(module.default)) } catch {}
if (result !== undefined) await new Promise((resolve) => process.send({ result }, resolve))
process.channel?.unref()
`

function launch({ code, entry, format, cwd, args = [], grants = {} }: JsProgram, workspace: Workspace, root: string): ChildProcess {
  const isCommon = format === 'commonjs'
  const url = code === undefined ? `file://${realOf(workspace, root, entry ?? '')}` : dataUrl(code)
  return spawn(
    process.execPath,
    isCommon ? ['-e', code ?? '', '--', ...args] : ['--input-type=module', '-e', RUNNER, '--', 'program', ...args],
    {
      cwd,
      env: { JS_ENTRY: url, ...(grants.invokeTool && { JS_TOOLS: '1' }) },
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    },
  )
}

const dataUrl = (code: string): string => `data:text/javascript;charset=utf-8,${encodeURIComponent(code)}`

interface Message {
  readonly id?: number
  readonly name?: string
  readonly input?: unknown
  readonly result?: unknown
}

const results = new WeakMap<ChildProcess, unknown>()

function serve(child: ChildProcess, { invokeTool }: JsGrants, given: AbortSignal | undefined): void {
  const signal = given ?? new AbortController().signal
  child.on('message', async ({ id, name, input, result }: Message) => {
    if (id === undefined) {
      results.set(child, result)
      return
    }
    try {
      child.send({ id, output: await invokeTool?.(name as string, input, { signal }) })
    } catch (error) {
      const failed = error as Error & { readonly code?: string }
      if (child.connected) child.send({ id, error: failed.message, name: failed.name, code: failed.code })
    }
  })
}

async function resultOf(
  child: ChildProcess,
  { stdin = '', timeoutMs, signal, onOutput, maxBytes = 256 * 1024 }: Parameters<JsAdapter['run']>[0],
): Promise<JsResult> {
  const kept = { stdout: new HeadTail(maxBytes), stderr: new HeadTail(maxBytes) }
  let why: 'timedOut' | 'aborted' | undefined
  const stop = (reason: typeof why): void => {
    why ??= reason
    child.kill('SIGKILL')
  }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      kept[stream].push(text)
      onOutput?.({ stream, text })
    })
  }
  child.stdin?.on('error', () => {}).end(stdin)
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop('timedOut'), timeoutMs)
  const onAbort = (): void => stop('aborted')
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  signal?.removeEventListener('abort', onAbort)
  const [stdout, stderr] = [kept.stdout.finish(streamNote), kept.stderr.finish(streamNote)]
  return {
    exitCode: why ? null : code,
    stdout: stdout.text,
    stderr: stderr.text,
    ...(results.has(child) && { result: results.get(child) }),
    timedOut: why === 'timedOut',
    aborted: why === 'aborted',
    truncated: stdout.cut > 0 || stderr.cut > 0,
  }
}

function processOf(child: ChildProcess, { signal, onOutput }: JsProgram): ShellProcess {
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text: string) => onOutput?.({ stream, text }))
  signal?.addEventListener('abort', () => child.kill('SIGKILL'))
  child.stdin?.on('error', () => {})
  const numbers: Record<string, number> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }
  const exited = new Promise<ShellExit>((resolve) =>
    child.once('close', (code, name) =>
      resolve(name === null ? { exitCode: code } : { exitCode: 128 + (numbers[name] ?? 0), signal: name }),
    ),
  )
  return {
    transport: 'pipe',
    ...(child.pid !== undefined && { pid: child.pid }),
    write: async (text) => void child.stdin?.write(text),
    closeInput: async () => void child.stdin?.end(),
    kill: async (name) => void child.kill(name),
    exited,
  }
}
