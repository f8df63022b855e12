import type { ShellAdapter, ShellExecOptions, ShellResult, ToolRuntime } from 'toolport'
import { type ZeroclawOptions, type ZeroclawToolResult, zeroclaw } from 'toolport/presets/zeroclaw'
import { createTestRuntime, type TestHost, type TestWorkspaceOptions } from 'toolport/testing'

export type Script = (command: string, options: ShellExecOptions) => Partial<ShellResult> | Promise<Partial<ShellResult>>

const ENDED: ShellResult = {
  exitCode: 0,
  stdout: '',
  stderr: '',
  timedOut: false,
  aborted: false,
  truncated: false,
  cwd: '/workspace',
  env: {},
}

export interface ScriptedShell extends ShellAdapter {
  readonly ran: { readonly command: string; readonly options: ShellExecOptions }[]
}

/** A shell whose results come from the test's script. */
export function scriptedShell(script: Script = () => ({})): ScriptedShell {
  const ran: ScriptedShell['ran'] = []
  return {
    name: 'scripted',
    can: { pty: false, separateStderr: true, hardKill: true, dialect: 'none' },
    ran,
    exec: async (command, options = {}) => {
      ran.push({ command, options })
      return { ...ENDED, ...(await script(command, options)) }
    },
  }
}

export interface ZeroclawBench {
  readonly runtime: ToolRuntime
  readonly host: TestHost
  readonly shell: ScriptedShell
  readonly wire: (name: string, input: unknown, context?: Parameters<ToolRuntime['execute']>[1]) => Promise<ZeroclawToolResult>
  readonly run: (command: string, more?: object) => Promise<ZeroclawToolResult>
}

/** The preset in memory, with a deterministic host and a scripted shell. */
export function zeroclawBench(script?: Script, options: ZeroclawOptions = {}, workspaceOptions: TestWorkspaceOptions = {}): ZeroclawBench {
  const shell = scriptedShell(script)
  const { runtime, host } = createTestRuntime({ ...workspaceOptions, shell, preset: zeroclaw(options) })
  const wire: ZeroclawBench['wire'] = async (name, input, context) => {
    const call = { name, input }
    return runtime.toWire(await runtime.execute(call, context), call) as ZeroclawToolResult
  }
  return { runtime, host, shell, wire, run: (command, more = {}) => wire('shell', { command, ...more }) }
}
