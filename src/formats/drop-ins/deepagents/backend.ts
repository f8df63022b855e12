import { toFailure, toModelText } from '../../../core/result.js'
import { toBase64 } from '../../../ops/base64.js'
import { ToolCallError } from '../../../runtime/tool-call-error.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import type { FileKind } from '../../../types/fs.js'
import type { ToolError } from '../../../types/tool.js'
import { decodeText } from '../../../workspace/content.js'
import { checkTools } from '../../check-tools.js'
import { Calls, codeOf } from '../shared/calls.js'
import { changeAnyway } from '../shared/changing.js'
import { commandInput, type RanCommand } from '../shared/command.js'
import { readWhole } from '../shared/reading.js'
import { type Paths, pathsBelow } from './paths.js'
import type { DeepAgentsBackend, DeepAgentsExecuted, DeepAgentsFileError, DeepAgentsRaw, DeepAgentsRead } from './types.js'

/** Options of `deepAgentsBackend`. */
export interface DeepAgentsBackendOptions {
  /** Stops running calls. deepagents passes no signal to a backend. */
  readonly signal?: AbortSignal
  /** Largest file that `readRaw`, a download, or `read` of a binary file returns, in bytes; default 16 MiB. */
  readonly maxFileBytes?: number
}

const TOOLS = ['read_file', 'write_file', 'edit_file', 'delete_file', 'list_files', 'glob', 'grep']
const MAX_FILE_BYTES = 16 * 1024 * 1024
const LIST_LIMIT = 10_000
const READ_LIMIT = 10_000
const DEFAULT_READ_LIMIT = 500
const GREP_LIMIT = 5_000
const BINARY = 'application/octet-stream'
/** The `read_file` of deepagents shows this text unchanged. */
const EMPTY = 'System reminder: File exists but has empty contents'

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
  const { inner, outer } = pathsBelow(runtime.workspace.root)
  const calls = new Calls(runtime, signal)
  const hasShell = runtime.getModelManifest().some(({ name }) => name === 'bash')
  return {
    ls: (path) => settled(calls, 'list_files', withoutPrefix, async () => ({ files: await list(calls, inner(path), outer) })),
    read: (path, offset = 0, limit = DEFAULT_READ_LIMIT) =>
      settled(calls, 'read_file', withoutPrefix, () => read(calls, inner(path), { offset, limit, maxFileBytes })),
    readRaw: (path) => settled(calls, 'read_file', withoutPrefix, async () => ({ data: await raw(calls, inner(path), maxFileBytes) })),
    grep: (pattern, path, glob, maxCount) =>
      settled(calls, 'grep', whole, async () => {
        const limit = Math.min(GREP_LIMIT, Math.max(1, maxCount ?? GREP_LIMIT))
        const input = { pattern, literal: true, hidden: true, limit, path: inner(path || '/'), ...(glob && { glob }) }
        const { matches, next } = await calls.run<Grepped>('grep', input)
        return {
          matches: matches.map(({ path: at, line, text }) => ({ path: outer(at), line, text })),
          ...(next !== undefined && { truncated: true }),
        }
      }),
    glob: (pattern, path = '/') =>
      settled(calls, 'glob', withoutPrefix, async () => {
        const { paths, next } = await calls.run<Globbed>('glob', {
          ...globbing(pattern, inner(path), inner),
          hidden: true,
          limit: LIST_LIMIT,
        })
        return { files: paths.map((at) => ({ path: outer(at), is_dir: false })), ...(next !== undefined && { truncated: true }) }
      }),
    write: (path, content) =>
      settled(calls, 'write_file', whole, async () => {
        await calls.run('write_file', { path: inner(path), content })
        return { path, filesUpdate: null }
      }),
    edit: (path, old_string, new_string, replace_all = false) =>
      settled(calls, 'edit_file', whole, async () => {
        const input = { path: inner(path), edits: [{ old_string, new_string, replace_all }] }
        const { replacements } = await calls.run<{ readonly replacements: number }>('edit_file', input)
        return { path, filesUpdate: null, occurrences: replacements }
      }),
    delete: (path) =>
      settled(calls, 'delete_file', whole, async () => {
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
    ...(hasShell && { id: 'toolport', execute: (command) => execute(calls, command) }),
  }
}

interface Listed {
  readonly entries: readonly { readonly path: string; readonly kind: FileKind; readonly size?: number }[]
  readonly next?: string
}
interface Globbed {
  readonly paths: readonly string[]
  readonly next?: string
}
interface Grepped {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[]
  readonly next?: string
}
interface ReadLines {
  readonly text?: string
  readonly media_type?: string
  readonly start_line: number
  readonly end_line: number
  readonly total_lines?: number
  readonly next?: { readonly offset?: number }
}

async function list(calls: Calls, path: string, outer: Paths['outer']): Promise<{ path: string; is_dir: boolean; size?: number }[]> {
  const files: { path: string; is_dir: boolean; size?: number }[] = []
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const input = { path, ignore: false, limit: LIST_LIMIT, ...(cursor !== undefined && { cursor }) }
    const page: Listed = await calls.run<Listed>('list_files', input)
    for (const { path: at, kind, size } of page.entries) {
      const isDir = kind === 'dir'
      files.push({ path: isDir ? `${outer(at)}/` : outer(at), is_dir: isDir, ...(size !== undefined && { size }) })
    }
    cursor = page.next
  }
  return files
}

/** Makes a pattern that begins with `/` relative to the root. Other patterns are relative to `path`. */
function globbing(pattern: string, path: string, inner: Paths['inner']): { readonly pattern: string; readonly path: string } {
  const root = inner('/')
  if (!pattern.startsWith('/')) return { pattern, path }
  const base = root === '/' ? '/' : `${root}/`
  return { pattern: pattern.startsWith(base) ? pattern.slice(base.length) : pattern.slice(1), path: root }
}

interface ReadOptions {
  readonly offset: number
  readonly limit: number
  readonly maxFileBytes: number
}

async function read(calls: Calls, path: string, { offset, limit, maxFileBytes }: ReadOptions): Promise<DeepAgentsRead> {
  const lines = { offset: offset + 1, limit: Math.min(READ_LIMIT, Math.max(1, limit)) }
  const result = await calls.attempt('read_file', { path, ...lines, numbered: false })
  if (!result.ok && result.output.code !== 'binary_file') throw calls.failed(result)
  const output = result.output as unknown as ReadLines
  if (output.text === undefined) {
    const detected = result.ok ? output.media_type : result.output.detected
    return { content: await readWhole(calls, path, maxFileBytes), mimeType: String(detected ?? BINARY) }
  }
  const { text, start_line, end_line, total_lines, next } = output
  if (end_line < start_line) return { content: EMPTY, mimeType: 'text/plain' }
  return {
    content: text,
    mimeType: 'text/plain',
    startLine: start_line,
    endLine: end_line,
    ...(total_lines !== undefined && { totalLines: total_lines }),
    ...(next?.offset !== undefined && { nextOffset: next.offset - 1 }),
  }
}

async function raw(calls: Calls, path: string, maxFileBytes: number): Promise<NonNullable<DeepAgentsRaw['data']>> {
  const bytes = await readWhole(calls, path, maxFileBytes)
  const { mtimeMs } = await calls.runtime.workspace.stat(path)
  const time = new Date(mtimeMs).toISOString()
  return { ...contentOf(path, bytes), created_at: time, modified_at: time }
}

function contentOf(path: string, bytes: Uint8Array): { content: string | Uint8Array; mimeType: string } {
  try {
    const { text, bom } = decodeText(path, bytes)
    return { content: bom ? `\ufeff${text}` : text, mimeType: 'text/plain' }
  } catch {
    return { content: bytes, mimeType: BINARY }
  }
}

async function upload(calls: Calls, path: string, content: Uint8Array): Promise<void> {
  const result = await changeAnyway(calls, path, 'write_file', { path, content: toBase64(content), encoding: 'base64' })
  if (!result.ok) throw calls.failed(result)
}

/** The exit code of the `timeout` command. */
const TIMED_OUT = 124

async function execute(calls: Calls, command: string): Promise<DeepAgentsExecuted> {
  const result = await calls.attempt('bash', commandInput({ command }))
  if (calls.signal?.aborted) throw calls.signal.reason
  if (!result.ok) return { output: toModelText(result), exitCode: null, truncated: false }
  const { stdout, stderr, exit_code, timed_out, truncated } = result.output as unknown as RanCommand & { readonly truncated?: boolean }
  const gap = stdout !== '' && stderr !== '' && !stdout.endsWith('\n') ? '\n' : ''
  const output = `${stdout}${gap}${stderr}${timed_out ? '\n[timed out: the runtime ended the command]' : ''}`
  return { output, exitCode: timed_out ? TIMED_OUT : exit_code, truncated: truncated === true }
}

/** Some tools of deepagents show the error text unchanged. Others add "Error: ", so the text must not have this prefix twice. */
const whole = (text: string): string => text
const withoutPrefix = (text: string): string => text.replace(/^Error: /, '')

/** @throws the reason of the signal */
async function settled<Result>(
  calls: Calls,
  tool: string,
  word: (text: string) => string,
  work: () => Promise<Result>,
): Promise<Result | { error: string }> {
  try {
    return await work()
  } catch (error) {
    return { error: word(toModelText(failureOf(calls, tool, error))) }
  }
}

/** @throws the reason of the signal */
function failureOf(calls: Calls, tool: string, error: unknown): ToolError {
  if (calls.signal?.aborted) throw calls.signal.reason
  return error instanceof ToolCallError ? error.result : toFailure(error, { callId: null, tool })
}

/** Null if the work succeeds. @throws the reason of the signal */
async function problemOf(calls: Calls, work: () => Promise<void>): Promise<DeepAgentsFileError | null> {
  try {
    await work()
    return null
  } catch (error) {
    const { code, status } = failureOf(calls, '', error).output
    if (code === 'ENOENT') return 'file_not_found'
    if (code === 'EISDIR') return 'is_directory'
    return status === 'denied' || codeOf(error) === 'EACCES' ? 'permission_denied' : 'invalid_path'
  }
}
