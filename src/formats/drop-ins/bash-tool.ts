import { FsError } from '../../errors/index.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { aiSdkSandbox } from './ai-sdk/sandbox.js'

/** The `Sandbox` of `bash-tool`. */
export interface BashToolSandbox {
  /**
   * Runs a command in a fresh shell. Exit code 124: the runtime ended the command at its deadline. @throws ToolCallError for a denied
   * command
   */
  executeCommand(command: string): Promise<{ stdout: string; stderr: string; exitCode: number }>
  /** Reads the text of a file. @throws FsError ENOENT; ToolCallError */
  readFile(path: string): Promise<string>
  /** Writes one file after another. @throws ToolCallError for the first file that cannot be written; later files are not written */
  writeFiles(files: { path: string; content: string | Uint8Array }[]): Promise<void>
}

/** Options of `bashToolSandbox`. */
export interface BashToolSandboxOptions {
  /** Stops running commands. `bash-tool` passes no signal. */
  readonly signal?: AbortSignal
}

/**
 * Adapts a runtime to the sandbox of `bash-tool`:
 * `createBashTool({ sandbox: bashToolSandbox(runtime), destination: runtime.workspace.cwd })`. Every method calls the runtime's own tools, as
 * `aiSdkSandbox` does, so policy, approval, checkpoints, events and limits apply.
 *
 * @throws TypeError if the runtime lacks one of the tools of `aiSdkSandbox`
 */
export function bashToolSandbox(runtime: ToolRuntime, { signal }: BashToolSandboxOptions = {}): BashToolSandbox {
  const sandbox = aiSdkSandbox(runtime)
  const stop = signal && { abortSignal: signal }
  return {
    executeCommand: (command) => sandbox.run({ command, ...stop }),
    async readFile(path) {
      const text = await sandbox.readTextFile({ path, ...stop })
      if (text === null) throw new FsError({ code: 'ENOENT', op: 'read', path, detail: 'there is no such file' })
      return text
    },
    async writeFiles(files) {
      for (const { path, content } of files) {
        if (typeof content === 'string') await sandbox.writeTextFile({ path, content, ...stop })
        else await sandbox.writeBinaryFile({ path, content, ...stop })
      }
    },
  }
}
