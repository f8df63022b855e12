import { toModelText } from '../../../core/result.js'
import { required } from '../../../errors/required.js'
import { headTail, streamNote } from '../../../ops/truncate.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import { checkTools } from '../../check-tools.js'
import { listDirectory } from '../ai-sdk/files.js'
import { Calls } from '../shared/calls.js'
import { commandInput, type RanCommand } from '../shared/command.js'
import { lookAt, readWhole } from '../shared/reading.js'
import { openAiEditor } from './editor.js'
import type { OpenAiExecArgs, OpenAiExecResult, OpenAiSandboxSession } from './types.js'

/** Options of `openAiSandboxSession`. */
export interface OpenAiSandboxSessionOptions<Manifest> {
  /** `new Manifest({ root: runtime.workspace.root })` of `@openai/agents/sandbox`. */
  readonly manifest: Manifest
  /** Stops running operations. The SDK passes no signal. */
  readonly signal?: AbortSignal
}

const TOOLS = ['read_file', 'apply_patch', 'list_files', 'bash']
/** The limit of the SDK's own sessions for an image. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** The exit code of the `timeout` command. */
const TIMED_OUT = 124
/** The SDK counts four bytes as a token. */
const TOKEN_BYTES = 4

/**
 * Adapts a runtime to the session of a `SandboxAgent` of `@openai/agents`: `run(agent, input, { sandbox: { session } })`. Every method
 * calls the runtime's own tools, so policy, approval, checkpoints, events and limits apply. Each command runs in a fresh shell.
 *
 * @throws TypeError if the manifest or one of the tools is missing
 */
export function openAiSandboxSession<Manifest>(
  runtime: ToolRuntime,
  options: OpenAiSandboxSessionOptions<Manifest>,
): OpenAiSandboxSession<Manifest> {
  checkTools(runtime, 'session', TOOLS)
  const { manifest, signal } = required('"openAiSandboxSession"', 'options with a "manifest"', options, 'manifest')
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
      const { media_type } = await calls.run<{ readonly media_type?: string }>('read_file', { path })
      if (!media_type?.startsWith('image/')) throw new Error(`Cannot view "${path}": it is not a supported image`)
      return { type: 'image', image: { data: new Uint8Array(await readWhole(calls, path, MAX_IMAGE_BYTES)), mediaType: media_type } }
    },
    async readFile({ path, runAs, maxBytes = MAX_FILE_BYTES }) {
      rejectUser(runAs)
      return readWhole(calls, path, maxBytes)
    },
    async listDir({ path, runAs }) {
      rejectUser(runAs)
      const entries = await listDirectory(calls, path)
      if (!entries) throw new Error(`Cannot list "${path}": no such directory`)
      const base = runtime.workspace.resolve(path)
      const below = base === '/' ? '' : base
      return entries.map(({ name, type }) => ({ name, path: `${below}/${name}`, type: KINDS[type] ?? 'other' }))
    },
    async pathExists(path, runAs) {
      rejectUser(runAs)
      return (await lookAt(calls, path)) !== undefined
    },
    async directoryExists(path, runAs) {
      rejectUser(runAs)
      return (await lookAt(calls, path))?.kind === 'dir'
    },
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
  const { stdout, stderr, exit_code, timed_out } = result.output as unknown as RanCommand
  const note = timed_out ? '[timed out: the runtime ended the command]\n' : ''
  const all = stdout + (stdout === '' || stdout.endsWith('\n') ? '' : '\n') + stderr + note
  const room = Math.min(calls.runtime.limits.outputBytes, (maxOutputTokens ?? Number.POSITIVE_INFINITY) * TOKEN_BYTES)
  const output = headTail(all, room, streamNote).text
  return { output, stdout, stderr: stderr + note, wallTimeSeconds, exitCode: timed_out ? TIMED_OUT : exit_code }
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
