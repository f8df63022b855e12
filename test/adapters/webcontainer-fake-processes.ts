import type { SpawnOptions, WebContainerProcess } from '@webcontainer/api'
import {
  createWorkspace,
  type FsAdapter,
  type ShellAdapter,
  type ShellOutput,
  type ShellProcess,
  type ShellSpawnOptions,
  type Workspace,
} from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import type { Dir } from './webcontainer-fake.js'
import { parseJsh } from './webcontainer-fake-jsh.js'
import { Terminal, type TerminalFaults } from './webcontainer-fake-terminal.js'
import { treeOf } from './webcontainer-fake-tree.js'

export interface ProcessFaults extends TerminalFaults {
  spawn?: 'rejects' | 'never' | 'no process'
  /** Delay of `spawn` in milliseconds. */
  slowSpawn?: number
  exit?: 'never' | 'rejects' | 'no number'
  /** `nothing`: the process continues, also on Ctrl+C; a number: the kill takes effect after that many milliseconds. */
  kill?: 'nothing' | 'throws' | number
  resize?: 'throws'
  /** A missing part of the shell's syntax, which fails with status 2. */
  syntax?: 'no input' | 'no errors' | 'no status'
}

/** The view of a program that runs in the fake. */
export interface ProgramIo {
  readonly args: readonly string[]
  readonly terminal: Terminal
  readonly options: SpawnOptions
  /** Aborted by Ctrl+C (130) or `kill` (143). The program must then end. */
  readonly signal: AbortSignal
}

export type Program = (io: ProgramIo) => Promise<number>

/**
 * The processes of a fake container. `jsh -c` runs in the virtual bash on the fake's tree, with its output on one terminal. A nested
 * `jsh -c` is a separate process, whose input and errors may be redirected.
 */
export class FakeProcesses {
  faults: ProcessFaults = {}
  /** First line of a command line -> program that runs instead. */
  readonly programs = new Map<string, Program>()
  /** Name of a command besides `jsh` -> program. */
  readonly commands = new Map<string, Program>()
  readonly spawned: { readonly command: string; readonly args: readonly string[]; readonly options: SpawnOptions }[] = []
  readonly sizes: { cols: number; rows: number }[] = []
  kills = 0
  readonly #workdir: string
  readonly #tree: FsAdapter
  readonly #workspace: Workspace
  readonly #shell: ShellAdapter
  #torn = false

  constructor(root: Dir, workdir: string) {
    this.#workdir = workdir
    this.#tree = treeOf(root)
    this.#workspace = createWorkspace({ fs: this.#tree, root: workdir })
    this.#shell = createJustBashShell({ scratch: createMemoryFs() })(this.#workspace)
  }

  async spawn(command: string, argsOrOptions: string[] | SpawnOptions = [], given: SpawnOptions = {}): Promise<WebContainerProcess> {
    const [args, options] = Array.isArray(argsOrOptions) ? [argsOrOptions, given] : [[], argsOrOptions]
    if (this.#torn) throw new Error('Proxy has been released and is not useable')
    const { faults } = this
    this.spawned.push({ command, args, options })
    if (faults.slowSpawn !== undefined) await sleep(faults.slowSpawn)
    if (faults.spawn === 'never') await new Promise(() => {})
    if (faults.spawn === 'rejects') throw new Error('command not found: jsh')
    if (faults.spawn === 'no process') return undefined as unknown as WebContainerProcess
    return this.#start(command, args, options)
  }

  /** Releases everything, as the client does: pending calls never settle. */
  teardown(): void {
    this.#torn = true
  }

  #start(command: string, args: readonly string[], options: SpawnOptions): WebContainerProcess {
    const { faults } = this
    const terminal = new Terminal({ echo: options.terminal !== undefined, ...faults }, () => this.#torn)
    const killed = new AbortController()
    if (faults.kill === undefined) terminal.onInterrupt = () => killed.abort(130)
    const program = this.#programOf(command, args)
    const running = program({ args, terminal, options, signal: killed.signal })
    const exit = running.then(async (code) => {
      terminal.end()
      if (this.#torn || faults.exit === 'never') await new Promise(() => {})
      if (faults.exit === 'rejects') throw new Error('the process was lost')
      return faults.exit === 'no number' ? (undefined as unknown as number) : code
    })
    // The promise may have no handler, as with the real client.
    exit.catch(() => undefined)
    return {
      exit,
      input: terminal.input,
      output: terminal.output,
      kill: () => {
        this.kills++
        if (faults.kill === 'throws') throw new Error('Proxy has been released and is not useable')
        if (faults.kill === 'nothing') return
        setTimeout(() => killed.abort(143), faults.kill ?? 0)
      },
      resize: (size) => {
        if (faults.resize === 'throws') throw new Error('the terminal is gone')
        this.sizes.push(size)
      },
    }
  }

  #programOf(command: string, args: readonly string[]): Program {
    const own = this.commands.get(command)
    if (own) return own
    const [flag, script = ''] = args
    if (command !== 'jsh' || flag !== '-c') {
      return async ({ terminal }) => {
        terminal.print(`jsh: command not found: ${command}\n`)
        return 127
      }
    }
    const [line = ''] = parseJsh(script).script.split('\n')
    return this.programs.get(line) ?? ((io) => this.#jsh(script, io))
  }

  async #jsh(script: string, { terminal, options, signal }: ProgramIo): Promise<number> {
    const line = parseJsh(script)
    const { syntax } = this.faults
    if ((syntax === 'no input' && line.stdin !== undefined) || (syntax === 'no errors' && line.stderr !== undefined)) {
      terminal.print('jsh: unsupported shell syntax\n')
      return 2
    }
    if (syntax === 'no status' && line.script.includes('$?')) {
      terminal.print("Cannot read properties of undefined (reading 'replace')\n")
      return 1
    }
    let errors = ''
    const tell = ({ stream, text }: ShellOutput): void => {
      if (stream === 'stdout' || line.stderr === undefined) {
        terminal.print(text)
        return
      }
      errors += text
      this.#write(line.stderr, errors)
    }
    if (line.stderr !== undefined) this.#write(line.stderr, '')
    const started = { cwd: pathAt(this.#workdir, options.cwd ?? '.'), env: strings(options.env), onOutput: tell }
    if (line.stdin === undefined && this.#shell.spawn) return this.#onTerminal(line.script, started, terminal, signal)
    const stdin = line.stdin === undefined || line.stdin === '/dev/null' ? '' : await this.#text(line.stdin)
    const { exitCode } = await this.#shell.exec(line.script, { ...started, stdin, signal, maxBytes: 0 })
    return exitCode ?? Number(signal.reason)
  }

  /** Runs a command, and sends the lines that are typed in the terminal to its input. */
  async #onTerminal(script: string, options: ShellSpawnOptions, terminal: Terminal, signal: AbortSignal): Promise<number> {
    const child = (await this.#shell.spawn?.(script, options)) as ShellProcess
    const over = new AbortController()
    signal.addEventListener('abort', () => void child.kill(signal.reason === 130 ? 'SIGINT' : 'SIGKILL'))
    const typing = (async () => {
      for (let text = await terminal.read(over.signal); text !== null; text = await terminal.read(over.signal)) await child.write(text)
      await child.closeInput?.()
    })()
    // Input that is typed after the end is ignored.
    typing.catch(() => undefined)
    const { exitCode } = await child.exited
    over.abort()
    return exitCode ?? Number(signal.reason)
  }

  async #text(path: string): Promise<string> {
    return new TextDecoder().decode((await this.#workspace.readBytes(path)).bytes)
  }

  /** Starts the write synchronously, so that a process that is killed next has written. */
  #write(path: string, text: string): void {
    void this.#tree.write(path.slice(this.#workdir.length), new TextEncoder().encode(text))
  }
}

const strings = (env: SpawnOptions['env'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]))

function pathAt(base: string, path: string): string {
  const names: string[] = path.startsWith('/') ? [] : base.split('/').filter((name) => name !== '')
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
