import { toModelText } from '../../../core/result.js'
import { InputError } from '../../../errors/index.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import { checkTools } from '../../check-tools.js'
import { Calls } from '../shared/calls.js'
import { bothStreams, commandInput, type RanCommand, TIMED_OUT } from '../shared/command.js'
import { readWhole } from '../shared/reading.js'
import { problemOf, settling } from './failures.js'
import { list, raw, read, upload, write } from './files.js'
import { pathsBelow } from './paths.js'
import type { DeepAgentsBackend, DeepAgentsExecuted, DeepAgentsFileError } from './types.js'

/** Options of `deepAgentsBackend`. */
export interface DeepAgentsBackendOptions {
  /** Stops running calls. deepagents passes no signal to a backend. */
  readonly signal?: AbortSignal
  /** Largest file that `readRaw`, a download, or `read` of a binary file or of very long lines returns, in bytes; default 16 MiB. */
  readonly maxFileBytes?: number
}

const TOOLS = ['read_file', 'write_file', 'edit_file', 'delete_file', 'list_files', 'glob', 'grep']
const MAX_FILE_BYTES = 16 * 1024 * 1024
const DEFAULT_READ_LIMIT = 500
const GREP_LIMIT = 5_000
const GLOB_LIMIT = 10_000

/**
 * Adapts a runtime to the backend protocol of `deepagents`: `createDeepAgent({ model, backend: deepAgentsBackend(runtime) })`. Every method
 * calls the runtime's own tools, so policy, approval, limits, checkpoints and events apply. `/` is the root of the workspace. With `bash`
 * in the runtime, the agent also has `execute`.
 *
 * @throws TypeError if the runtime lacks one of the file and search tools
 */
export function deepAgentsBackend(runtime: ToolRuntime, options: DeepAgentsBackendOptions = {}): DeepAgentsBackend {
  checkTools(runtime, 'backend', TOOLS)
  const { signal, maxFileBytes = MAX_FILE_BYTES } = options
  const { root, host } = runtime.workspace
  const { inner, innerGlob, outer } = pathsBelow(root)
  const calls = new Calls(runtime, signal)
  const settled = settling(calls, outer)
  const hasShell = runtime.getModelManifest().some(({ name }) => name === 'bash')
  return {
    ls: (path) => settled('drop', async () => ({ files: await list(calls, inner(path), outer) })),
    read: (path, offset = 0, limit = DEFAULT_READ_LIMIT) =>
      settled('drop', async () => read(calls, inner(path), { offset, limit, maxFileBytes })),
    readRaw: (path) => settled('drop', async () => ({ data: await raw(calls, inner(path), maxFileBytes) })),
    grep: (pattern, path, glob, maxCount) =>
      settled('keep', async () => {
        const limit = Math.min(GREP_LIMIT, Math.max(1, maxCount ?? GREP_LIMIT))
        const from = { path: inner(path || '/'), ...(glob && { glob: innerGlob(glob) }) }
        const { matches, next } = await calls.run<Grepped>('grep', { ...from, pattern, literal: true, hidden: true, limit })
        return {
          matches: matches.map(({ path: at, line, text }) => ({ path: outer(at), line, text })),
          ...(next !== undefined && { truncated: true }),
        }
      }),
    glob: (pattern, path = '/') =>
      settled('drop', async () => {
        const from = { path: inner(pattern.startsWith('/') ? '/' : path), pattern: innerGlob(pattern) }
        const { paths, next } = await calls.run<Globbed>('glob', { ...from, hidden: true, limit: GLOB_LIMIT })
        return { files: paths.map((at) => ({ path: outer(at), is_dir: false })), ...(next !== undefined && { truncated: true }) }
      }),
    write: (path, content) =>
      settled('keep', async () => {
        await write(calls, inner(path), content)
        return { path, filesUpdate: null }
      }),
    edit: (path, old_string, new_string, replace_all = false) =>
      settled('keep', async () => {
        const at = inner(path)
        // `edit_file` would create a missing file.
        if (old_string === '') throw new InputError('invalid_input', `Cannot edit "${at}": old_string is empty. Pass the text to replace`)
        const input = { path: at, edits: [{ old_string, new_string, replace_all }] }
        const { replacements } = await calls.run<{ readonly replacements: number }>('edit_file', input)
        return { path, filesUpdate: null, occurrences: replacements }
      }),
    delete: (path) =>
      settled('keep', async () => {
        await calls.run('delete_file', { path: inner(path), recursive: true })
        return { path, filesUpdate: null }
      }),
    async uploadFiles(files) {
      const uploaded: { path: string; error: DeepAgentsFileError | null }[] = []
      for (const [path, content] of files) uploaded.push({ path, error: await problemOf(calls, () => upload(calls, inner(path), content)) })
      return uploaded
    },
    async downloadFiles(paths) {
      const downloaded: { path: string; content: Uint8Array | null; error: DeepAgentsFileError | null }[] = []
      for (const path of paths) {
        let content: Uint8Array | null = null
        const error = await problemOf(calls, async () => {
          content = await readWhole(calls, inner(path), maxFileBytes)
        })
        downloaded.push({ path, content, error })
      }
      return downloaded
    },
    ...(hasShell && { id: `toolport-${host.random()}`, execute: (command) => execute(calls, command) }),
  }
}

interface Globbed {
  readonly paths: readonly string[]
  readonly next?: string
}
interface Grepped {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[]
  readonly next?: string
}

async function execute(calls: Calls, command: string): Promise<DeepAgentsExecuted> {
  const result = await calls.attempt('bash', commandInput({ command }))
  if (calls.signal?.aborted) throw calls.signal.reason
  if (!result.ok) return { output: toModelText(result), exitCode: null, truncated: false }
  const ran = result.output as unknown as RanCommand & { readonly truncated?: boolean }
  const output = `${bothStreams(ran)}${ran.timed_out ? '\n[timed out: the runtime ended the command]' : ''}`
  return { output, exitCode: ran.timed_out ? TIMED_OUT : ran.exit_code, truncated: ran.truncated === true }
}
