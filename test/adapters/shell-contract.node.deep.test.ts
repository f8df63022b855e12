import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import type { ShellAdapter, ShellExecOptions, ShellResult } from '../../src/types/shell.js'
import { type ShellContractOptions, type ShellUnderTest, shellContract } from '../contract/index.js'
import { SEED } from '../contract/shell/case.js'
import type { ShellCommand } from '../contract/shell/command.js'
import { COMMANDS } from '../contract/shell/commands.js'
import { createGood, dispose } from './machine-shell.js'

const commands = COMMANDS.flatMap((group) => Object.entries(group))

/** Runs a command in plain bash, in a directory with the seed. */
function runInBash({ run, stdin = '', env = {}, before = {}, files = {} }: ShellCommand) {
  const directory = mkdtempSync(join(tmpdir(), 'toolport-bash-'))
  try {
    for (const [path, text] of Object.entries({ ...SEED, ...before })) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), text)
    }
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '--noprofile', '-c', '--', run], {
      cwd: directory,
      input: stdin,
      env: { PATH: process.env.PATH, ...env },
      maxBuffer: 2 ** 24,
      encoding: 'utf8',
    })
    const content = (path: string) => (existsSync(join(directory, path)) ? readFileSync(join(directory, path), 'utf8') : null)
    return { stdout, stderr, exitCode: status, files: Object.fromEntries(Object.keys(files).map((path) => [path, content(path)])) }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

describe('the commands of the shell contract', () => {
  it('are at least 80, with unique titles', () => {
    expect(commands.length).toBeGreaterThanOrEqual(80)
    expect(new Set(commands.map(([title]) => title)).size).toBe(commands.length)
  })

  it.each(commands)('give the expected result in bash: %s', (_, command) => {
    const { stdout = '', stderr = '', exitCode = 0, files = {} } = command
    const said = runInBash(command)
    expect(said).toEqual({ stdout, stderr: typeof stderr === 'string' ? stderr : expect.stringMatching(stderr), exitCode, files })
  })
})

type Options = Omit<ShellContractOptions, 'name'>

/** Runs the contract or one case like a test framework. Returns the titles of the passed and the failed cases. */
async function run(options: Options, only?: string): Promise<{ passed: string[]; failed: string[] }> {
  const cases: [title: string, body: () => void | Promise<void>][] = []
  const runner = { describe: (_: string, body: () => void) => body(), it: (...each: (typeof cases)[number]) => void cases.push(each) }
  shellContract(runner, { name: 'under test', ...options })
  const [passed, failed]: [string[], string[]] = [[], []]
  for (const [title, body] of cases) {
    if (only !== undefined && title !== only && !title.startsWith(`${only} (excepted: `)) continue
    try {
      await body()
      passed.push(title)
    } catch {
      // Only the title of the failed case matters here.
      failed.push(title)
    }
  }
  return { passed, failed }
}

function titles(options: Options): string[] {
  const found: string[] = []
  shellContract({ describe: (_, body) => body(), it: (title) => void found.push(title) }, { name: 'under test', ...options })
  return found
}

type Exec = ShellAdapter['exec']
type Change = (shell: ShellAdapter, made: ShellUnderTest) => Partial<ShellAdapter>

const alter = (change: Change): Options => ({
  create: () => {
    const made = createGood()
    const { shell } = made
    const bound: ShellAdapter = {
      name: shell.name,
      can: shell.can,
      exec: (command, options) => shell.exec(command, options),
      close: async () => shell.close?.(),
    }
    return { workspace: made.workspace, shell: { ...bound, ...change(bound, made) } }
  },
  dispose,
})

const withOptions = (change: (options: ShellExecOptions) => ShellExecOptions): Change => {
  return ({ exec }) => ({ exec: (command, options = {}) => exec(command, change(options)) })
}
const withResult = (change: (result: ShellResult, options: ShellExecOptions) => ShellResult): Change => {
  return ({ exec }) => ({ exec: async (command, options = {}) => change(await exec(command, options), options) })
}

/** Defect that a shell may have -> the case that must notice it. */
const DEFECTS: Readonly<Record<string, [change: Change, noticed: string]>> = {
  'output before a timeout is lost': [
    withResult((result) => (result.timedOut ? { ...result, stdout: '' } : result)),
    'timeout: what was printed before is kept',
  ],
  'maxBytes is ignored': [withOptions((options) => ({ ...options, maxBytes: 2 ** 24 })), 'maxBytes: cuts the middle and says how much'],
  'only the head is kept': [
    ({ exec }) => ({
      exec: async (command, options = {}) => {
        const result = await exec(command, { ...options, maxBytes: 2 ** 24 })
        return { ...result, stdout: result.stdout.slice(0, options.maxBytes ?? 262_144), truncated: true }
      },
    }),
    'output: 1 MB is cut in the middle',
  ],
  'truncation is not reported': [withResult((result) => ({ ...result, truncated: false })), 'maxBytes: counts each stream for itself'],
  'an abort before the start is ignored': [
    withOptions(({ signal, ...options }) => (signal?.aborted ? options : { ...options, ...(signal && { signal }) })),
    'abort: before the start nothing runs',
  ],
  'an abort is reported as a timeout': [
    withResult((result) => ({ ...result, timedOut: result.timedOut || result.aborted, aborted: false })),
    'abort: ends a sleep',
  ],
  'a timeout has an exit code': [
    withResult((result) => (result.timedOut ? { ...result, exitCode: 124 } : result)),
    'timeout: ends a sleep',
  ],
  'variables leak into the next command': [
    ({ exec }) => {
      let last: Readonly<Record<string, string>> = {}
      return {
        exec: async (command, options = {}) => {
          const result = await exec(command, { ...options, env: { ...last, ...options.env } })
          last = result.env
          return result
        },
      }
    },
    'env: of one command does not reach the next',
  ],
  'cd leaks into the next command': [
    ({ exec }) => {
      let last: string | undefined
      return {
        exec: async (command, options = {}) => {
          const result = await exec(command, { ...(last !== undefined && { cwd: last }), ...options })
          last = result.cwd
          return result
        },
      }
    },
    'cwd: is not kept by the shell itself',
  ],
  'cwd is ignored': [withOptions(({ cwd: _, ...options }) => options), 'cwd: can be given'],
  'the cwd of the result is the initial one': [
    ({ exec }, { workspace }) => ({ exec: async (command, options) => ({ ...(await exec(command, options)), cwd: workspace.cwd }) }),
    'cwd: of the result follows cd',
  ],
  'a missing cwd has a foreign error': [
    ({ exec }) => ({ exec: (command, options) => exec(command, options).catch((error) => Promise.reject(new Error(error.message))) }),
    'cwd: a missing one is ENOENT and nothing runs',
  ],
  'env is ignored': [withOptions(({ env: _, ...options }) => options), 'env: is merged over the base'],
  'the env of the result is the given one': [
    withResult((result, { env = {} }) => ({ ...result, env })),
    'env: of the result has what is exported, and only that',
  ],
  'stderr is merged into stdout': [
    withResult((result) => ({ ...result, stdout: result.stdout + result.stderr, stderr: '' })),
    'exec: the streams are kept apart, each in its order',
  ],
  'final newlines are removed': [
    withResult((result) => ({ ...result, stdout: result.stdout.trimEnd() })),
    'exec: gives the whole shape of a result',
  ],
  'the exit code is 0 or 1': [
    withResult((result) => ({ ...result, exitCode: result.exitCode ? 1 : result.exitCode })),
    'exit code: exit 3',
  ],
  'a failure rejects': [
    ({ exec }) => ({
      exec: async (command, options) => {
        const result = await exec(command, options)
        if (result.exitCode === 2) throw new Error('syntax error')
        return result
      },
    }),
    'exit code: a syntax error is 2 and nothing runs',
  ],
  'stdin is ignored': [withOptions(({ stdin: _, ...options }) => options), 'stdin: text'],
  'output is reported only at the end': [
    ({ exec }) => ({
      exec: async (command, options = {}) => {
        const pieces: Parameters<NonNullable<ShellExecOptions['onOutput']>>[0][] = []
        const result = await exec(command, { ...options, onOutput: (piece) => void pieces.push(piece) })
        for (const piece of pieces) options.onOutput?.(piece)
        return result
      },
    }),
    'onOutput: hears a line while the command runs',
  ],
  'output splits characters': [
    withOptions(({ onOutput, ...options }) => ({
      ...options,
      ...(onOutput && { onOutput: ({ stream, text }) => text.split('').forEach((unit) => void onOutput({ stream, text: unit })) }),
    })),
    'onOutput: never splits a character',
  ],
  'output is reported after the result': [
    ({ exec }) => ({
      exec: async (command, options = {}) => {
        const result = await exec(command, options)
        setTimeout(() => options.onOutput?.({ stream: 'stdout', text: 'late' }), 50)
        return result
      },
    }),
    'onOutput: is silent once the result is there',
  ],
  'an error of the listener fails the command': [
    ({ exec }) => ({
      exec: async (command, { onOutput, ...options } = {}) => {
        const result = await exec(command, options)
        onOutput?.({ stream: 'stdout', text: result.stdout })
        return result
      },
    }),
    'onOutput: what it throws is ignored',
  ],
  'commands block each other': [
    ({ exec }) => {
      let last: Promise<unknown> = Promise.resolve()
      const queued: Exec = (command, options) => {
        const result = last.then(() => exec(command, options))
        last = result.catch(() => undefined)
        return result
      }
      return { exec: queued }
    },
    'exec: a slow one does not hold back a quick one',
  ],
  'commands work on a copy of the tree': [
    () => {
      const other = createGood()
      return { exec: (command, options) => other.shell.exec(command, options), close: () => dispose(other) }
    },
    'tree: what a command writes is read at once',
  ],
  'close leaves the shell open': [() => ({ close: async () => undefined }), 'close: exec afterwards is refused as unavailable'],
}

const refusing: Options = {
  create: () => {
    const shell: ShellAdapter = {
      name: 'refusing',
      can: { pty: false, separateStderr: true, hardKill: false, dialect: 'bash' },
      exec: () => Promise.reject(new Error('broken')),
      close: async () => undefined,
    }
    return { shell, workspace: createWorkspace({ fs: createMemoryFs() }) }
  },
}

describe('the shell contract', () => {
  it.each(Object.entries(DEFECTS))('detects that %s', async (_, [change, noticed]) => {
    expect(await run({ create: createGood, dispose }, noticed)).toEqual({ passed: [noticed], failed: [] })
    expect(await run(alter(change), noticed)).toEqual({ passed: [], failed: [noticed] })
  })

  it('has unique titles and leaves out only the cases of missing parts', () => {
    const all = titles(refusing)
    expect(new Set(all).size).toBe(all.length)
    const some = titles({ ...refusing, without: ['processes'] })
    expect(all.filter((title) => !some.includes(title)).every((title) => title.startsWith('processes: '))).toBe(true)
    expect(all.length).toBeGreaterThan(some.length)
  })

  it('fails when a part is missing but not in `without`, or in `without` but present', async () => {
    const title = 'lacks exactly the optional parts in "without"'
    expect((await run(refusing, title)).failed).toEqual([title])
    expect((await run({ ...refusing, without: ['processes'] }, title)).passed).toEqual([title])
    expect((await run({ ...refusing, without: ['close', 'processes'] }, title)).failed).toEqual([title])
  })

  it('runs an excepted case and fails when that case passes', async () => {
    const title = 'output: none'
    const reported = `${title} (excepted: it only refuses)`
    const except = { [title]: 'it only refuses' }
    expect(await run({ ...refusing, except }, title)).toEqual({ passed: [reported], failed: [] })
    expect(await run({ create: createGood, dispose, except }, title)).toEqual({ passed: [], failed: [reported] })
  })

  it('reports an excepted case as failed when `create` rejects', async () => {
    const title = 'output: none'
    const create = () => Promise.reject(new Error('no shell'))
    expect((await run({ create, except: { [title]: 'why' } }, title)).failed).toEqual([`${title} (excepted: why)`])
  })

  it('fails when `except` names an unknown case', async () => {
    const title = 'every exception names a case'
    expect((await run({ ...refusing, except: { 'no such case': 'why' } }, title)).failed).toEqual([title])
  })

  it('creates a shell for each case and disposes it, even after a failed case', async () => {
    let open = 0
    const create = () => {
      open++
      return refusing.create()
    }
    const { failed } = await run({ create, dispose: () => void open-- })
    expect(failed.length).toBeGreaterThan(250)
    expect(open).toBe(0)
  })
})
