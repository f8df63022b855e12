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
  /** Milliseconds until `spawn` answers. */
  slowSpawn?: number
  exit?: 'never' | 'rejects' | 'no number'
  /** `nothing`: it goes on, as with Ctrl+C; a number: it works after so many milliseconds. */
  kill?: 'nothing' | 'throws' | number
  resize?: 'throws'
  /** What of the shell's syntax is not there: it answers with status 2. */
  syntax?: 'no input' | 'no errors' | 'no status'
}

/** What a program of the fake's own sees. */
export interface ProgramIo {
  readonly args: readonly string[]
  readonly terminal: Terminal
  readonly options: SpawnOptions
  /** By Ctrl+C (130) or by `kill` (143); then it is to end. */
  readonly signal: AbortSignal
}

export type Program = (io: ProgramIo) => Promise<number>

/**
 * The processes of a fake container. `jsh -c` runs in the virtual bash over the fake's own tree; what it prints comes on one terminal.
 * `jsh -c` within it is a process of its own, with its input and its errors where they were redirected.
 */
export class FakeProcesses {
  faults: ProcessFaults = {}
  /** Command lines that are programs of the fake's own, by the first line of their text. */
  readonly programs = new Map<string, Program>()
  /** Commands beside `jsh`, by their name. */
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

  /** The client lets go of everything: nothing that is under way is ever answered. */
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
    // As with the client, it may be nobody's.
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

  /** What is typed is written to the command, line by line. */
  async #onTerminal(script: string, options: ShellSpawnOptions, terminal: Terminal, signal: AbortSignal): Promise<number> {
    const child = (await this.#shell.spawn?.(script, options)) as ShellProcess
    const over = new AbortController()
    signal.addEventListener('abort', () => void child.kill(signal.reason === 130 ? 'SIGINT' : 'SIGKILL'))
    const typing = (async () => {
      for (let text = await terminal.read(over.signal); text !== null; text = await terminal.read(over.signal)) await child.write(text)
      await child.closeInput?.()
    })()
    // What is typed when it has ended is read by nobody.
    typing.catch(() => undefined)
    const { exitCode } = await child.exited
    over.abort()
    return exitCode ?? Number(signal.reason)
  }

  async #text(path: string): Promise<string> {
    return new TextDecoder().decode((await this.#workspace.readBytes(path)).bytes)
  }

  /** At once: what is killed in the next moment has written it. */
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
