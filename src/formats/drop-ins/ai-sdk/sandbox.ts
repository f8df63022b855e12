import { ShellError } from '../../../errors/index.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import { checkTools } from '../../check-tools.js'
import { Calls } from '../shared/calls.js'
import { commandInput, type RanCommand, TIMED_OUT, withTimeout } from '../shared/command.js'
import { readWhole } from '../shared/reading.js'
import { bytesOf, linesFrom, textOf } from './encodings.js'
import { collect, contentStream, deleteFile, listDirectory, orNull, stat, write } from './files.js'
import { spawnProcess } from './process.js'
import type { AiSdkRunOptions, AiSdkRunResult, AiSdkSandbox, AiSdkSpawnOptions, AiSdkWritableProcess } from './types.js'

/** Options of `aiSdkSandbox`. */
export interface AiSdkSandboxOptions {
  /** Text for the agent's instructions. The default text says where the files are and how commands run. */
  readonly description?: string
  /** Largest file that a method reads or writes at once, in bytes; default 64 MiB. `readFile` streams larger files. */
  readonly maxFileBytes?: number
}

const TOOLS = ['read_file', 'write_file', 'list_files', 'delete_file', 'bash']
const MAX_FILE_BYTES = 64 * 1024 * 1024

/**
 * Adapts a runtime to the sandbox session of AI SDK 7: `generateText({ experimental_sandbox: aiSdkSandbox(runtime) })`. Every method calls
 * the runtime's own tools (`read_file`, `write_file`, `list_files`, `delete_file`, `bash`, and `write_background_bash` for process input),
 * so policy, approval, checkpoints, events and limits apply. Each command runs in a fresh shell.
 *
 * @throws TypeError if the runtime lacks one of the tools
 */
export function aiSdkSandbox(runtime: ToolRuntime, options: AiSdkSandboxOptions = {}): AiSdkSandbox {
  checkTools(runtime, 'sandbox', TOOLS)
  const { description = describe(runtime), maxFileBytes = MAX_FILE_BYTES } = options
  const on = (abortSignal: AbortSignal | undefined): Calls => new Calls(runtime, abortSignal)
  return {
    description,
    readFile: ({ path, abortSignal }) => orNull(contentStream(on(abortSignal), path)),
    readBinaryFile: ({ path, abortSignal }) => orNull(readWhole(on(abortSignal), path, maxFileBytes)),
    async readTextFile({ path, abortSignal, encoding, startLine, endLine }) {
      const decode = textOf(encoding)
      const bytes = await orNull(readWhole(on(abortSignal), path, maxFileBytes))
      return bytes && linesFrom(decode(bytes), startLine, endLine)
    },
    async writeFile({ path, content, abortSignal }) {
      const calls = on(abortSignal)
      await write(calls, path, await collect(calls, path, content, maxFileBytes))
    },
    writeBinaryFile: async ({ path, content, abortSignal }) => write(on(abortSignal), path, content),
    writeTextFile: async ({ path, content, abortSignal, encoding }) => write(on(abortSignal), path, bytesOf(content, encoding)),
    stat: ({ path, abortSignal }) => stat(on(abortSignal), path),
    listDirectory: ({ path, abortSignal }) => listDirectory(on(abortSignal), path),
    deleteFile: ({ path, abortSignal }) => deleteFile(on(abortSignal), path),
    spawn: (given: AiSdkSpawnOptions) => spawnProcess(on(given.abortSignal), given) as Promise<AiSdkWritableProcess>,
    run: (given) => runCommand(on(given.abortSignal), given),
  }
}

function describe({ workspace: { root, cwd, readOnly } }: ToolRuntime): string {
  const where = `A workspace. Its files are below ${root}; commands and relative paths start in ${cwd}.`
  return `${where} Every command runs in a fresh shell.${readOnly ? ' Nothing can be written.' : ''}`
}

/** @throws the reason of the signal; ToolCallError for a denied command */
async function runCommand(calls: Calls, { command, workingDirectory, env }: AiSdkRunOptions): Promise<AiSdkRunResult> {
  const output = await calls.run<RanCommand>('bash', commandInput({ command, cwd: workingDirectory, env }))
  const { exit_code, stdout, stderr, timed_out, aborted } = output
  if (timed_out) return { exitCode: TIMED_OUT, stdout, stderr: withTimeout(stderr) }
  if (aborted && calls.signal?.aborted) throw calls.signal.reason
  if (exit_code === null) throw new ShellError('not_running', 'Cannot tell how the command ended: it was stopped')
  return { exitCode: exit_code, stdout, stderr }
}
