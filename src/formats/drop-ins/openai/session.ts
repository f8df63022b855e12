import { toModelText } from '../../../core/result.js'
import { hasCode } from '../../../errors/index.js'
import { required } from '../../../errors/required.js'
import { imageType } from '../../../ops/detect.js'
import { headTail, streamNote } from '../../../ops/truncate.js'
import { ToolCallError } from '../../../runtime/tool-call-error.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import { isWithin, joinPath, relativePath } from '../../../workspace/paths.js'
import { checkTools } from '../../check-tools.js'
import { listDirectory } from '../ai-sdk/files.js'
import { Calls, codeOf } from '../shared/calls.js'
import { bothStreams, commandInput, type RanCommand, TIMED_OUT, withTimeout } from '../shared/command.js'
import { readStart, readWhole, statOf } from '../shared/reading.js'
import { openAiEditor } from './editor.js'
import type { OpenAiExecArgs, OpenAiExecResult, OpenAiSandboxSession } from './types.js'

/** Options of `openAiSandboxSession`. */
export interface OpenAiSandboxSessionOptions<Manifest> {
  /** `new Manifest({ root: runtime.workspace.root })` of `@openai/agents/sandbox`, without entries and environment. */
  readonly manifest: Manifest
  /** Stops running operations. The SDK passes no signal. */
  readonly signal?: AbortSignal
}

const TOOLS = ['read_file', 'apply_patch', 'list_files', 'bash']
/** The limit of the SDK's own sessions for an image. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** The SDK counts four bytes as a token. */
const TOKEN_BYTES = 4

/**
 * Adapts a runtime to the session of a `SandboxAgent` of `@openai/agents`: `run(agent, input, { sandbox: { session } })`. Every method
 * calls the runtime's own tools, so policy, approval, checkpoints, events and limits apply. Each command runs in a fresh shell.
 *
 * @throws TypeError if the manifest or one of the tools is missing, or if the manifest has another root, entries or environment variables
 */
export function openAiSandboxSession<Manifest>(
  runtime: ToolRuntime,
  options: OpenAiSandboxSessionOptions<Manifest>,
): OpenAiSandboxSession<Manifest> {
  checkTools(runtime, 'session', TOOLS)
  const { manifest, signal } = required('"openAiSandboxSession"', 'options with a "manifest"', options, 'manifest')
  const { workspace } = runtime
  checkManifest(manifest, workspace.root)
  const calls = new Calls(runtime, signal)
  const exec = (args: OpenAiExecArgs): Promise<OpenAiExecResult> => execute(calls, args)
  return {
    state: { manifest },
    running: async () => true,
    supportsPty: () => false,
    createEditor(runAs) {
      rejectUser(runAs)
      return openAiEditor(runtime, signal && { signal })
    },
    exec,
    execCommand: async (args) => rendered(await exec(args)),
    async viewImage({ path, runAs }) {
      rejectUser(runAs)
      const bytes = await readWhole(calls, path, MAX_IMAGE_BYTES).catch((error: unknown) => {
        throw calls.signal?.aborted ? error : imageError(path, error)
      })
      const mediaType = imageType(bytes)
      if (!mediaType) throw new Error(`Cannot view "${path}": it is not a supported image`)
      return { type: 'image', image: { data: new Uint8Array(bytes), mediaType } }
    },
    async readFile({ path, runAs, maxBytes }) {
      rejectUser(runAs)
      return withCode(maxBytes === undefined ? readWhole(calls, path, MAX_FILE_BYTES) : readStart(calls, path, maxBytes))
    },
    async listDir({ path, runAs }) {
      rejectUser(runAs)
      const entries = await withCode(listDirectory(calls, path))
      if (!entries) throw Object.assign(new Error(`Cannot list "${path}": no such directory`), { code: 'ENOENT' })
      const base = workspace.resolve(path)
      return entries.map(({ name, type }) => {
        const at = joinPath(base, name)
        const isInCwd = isWithin(at, workspace.cwd)
        return { name, path: isInCwd ? relativePath(at, workspace.cwd) : at, type: KINDS[type] ?? 'other' }
      })
    },
    async pathExists(path, runAs) {
      rejectUser(runAs)
      return (await statOf(calls, path)) !== undefined
    },
    async directoryExists(path, runAs) {
      rejectUser(runAs)
      return (await statOf(calls, path))?.kind === 'dir'
    },
  }
}

/** @throws TypeError for a manifest that says what the session does not do */
function checkManifest(manifest: unknown, root: string): void {
  const { root: given, entries = {}, environment = {} } = manifest as { root?: unknown; entries?: object; environment?: object }
  const wanted = `Pass new Manifest({ root: ${JSON.stringify(root)} })`
  if (given !== root) throw new TypeError(`Cannot create a session: the manifest has the root "${given}". ${wanted}`)
  for (const [name, values] of Object.entries({ entries, environment })) {
    if (Object.keys(values ?? {}).length > 0) throw new TypeError(`Cannot create a session: the manifest has "${name}". ${wanted}`)
  }
}

/** The messages that the SDK recognises. */
const IMAGE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'Image file not found',
  ENOTDIR: 'Image file not found',
  EISDIR: 'Image path is not a file',
  EFBIG: 'Image file exceeds the 10 MB limit',
}

function imageError(path: string, error: unknown): Error {
  const code = hasCode(error, 'EFBIG') ? error.code : codeOf(error)
  const known = code === undefined ? undefined : IMAGE_ERRORS[code]
  if (known !== undefined) return new Error(`${known}: ${path}`)
  const text = error instanceof ToolCallError ? toModelText(error.result) : String(error)
  // Of any other error, the SDK shows the model only the name.
  return Object.assign(new Error(text), { name: text })
}

/** Adds the code of a failed call to its error. The SDK checks `error.code` for missing files. */
async function withCode<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ToolCallError ? Object.assign(error, { code: codeOf(error) }) : error
  }
}

const KINDS: Readonly<Record<string, 'file' | 'dir'>> = { file: 'file', directory: 'dir' }

async function execute(calls: Calls, { cmd, workdir, runAs, maxOutputTokens }: OpenAiExecArgs): Promise<OpenAiExecResult> {
  rejectUser(runAs)
  const { host } = calls.runtime.workspace
  const start = host.now()
  const result = await calls.attempt('bash', commandInput({ command: cmd, cwd: workdir }))
  if (calls.signal?.aborted) throw calls.signal.reason
  const wallTimeSeconds = (host.now() - start) / 1000
  if (!result.ok) {
    const text = toModelText(result)
    return { output: text, stdout: '', stderr: text, wallTimeSeconds, exitCode: null }
  }
  const { stdout, exit_code, timed_out, ...ran } = result.output as unknown as RanCommand
  const stderr = timed_out ? withTimeout(ran.stderr) : ran.stderr
  const all = bothStreams({ stdout, stderr })
  const room = Math.min(calls.runtime.limits.outputBytes, Math.max(0, maxOutputTokens ?? Number.POSITIVE_INFINITY) * TOKEN_BYTES)
  const output = headTail(all, room, streamNote).text
  return { output, stdout, stderr, wallTimeSeconds, exitCode: timed_out ? TIMED_OUT : exit_code }
}

function rendered({ output, wallTimeSeconds, exitCode }: OpenAiExecResult): string {
  const lines = [`Wall time: ${wallTimeSeconds.toFixed(4)} seconds`]
  if (typeof exitCode === 'number') lines.push(`Process exited with code ${exitCode}`)
  return [...lines, 'Output:', output].join('\n')
}

function rejectUser(runAs: string | undefined): void {
  if (runAs === undefined) return
  throw new Error(`Cannot run as "${runAs}": a workspace has no users. Leave out runAs`)
}
