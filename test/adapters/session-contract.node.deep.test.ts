import { type ShellAdapter, ShellError, type ShellProcess, type ShellSpawnOptions } from 'toolport'
import { describe, expect, it } from 'vitest'
import { type SessionContractOptions, sessionContract } from '../contract/index.js'
import { createGood, dispose } from './machine-shell.js'

type Options = Omit<SessionContractOptions, 'name'>

function casesOf(options: Options): Map<string, () => void | Promise<void>> {
  const cases = new Map<string, () => void | Promise<void>>()
  const runner = { describe: (_: string, body: () => void) => body(), it: (title: string, body: () => void) => void cases.set(title, body) }
  sessionContract(runner, { name: 'under test', ...options })
  return cases
}

/** Whether the case with this title passes, even if it is excepted. */
async function passes(options: Options, title: string): Promise<boolean> {
  const [found] = [...casesOf(options)].filter(([each]) => each === title || each.startsWith(`${title} (excepted: `))
  if (!found) throw new Error(`No case has the title "${title}"`)
  try {
    await found[1]()
    return true
  } catch {
    // Only whether the case fails matters here.
    return false
  }
}

type Spawn = NonNullable<ShellAdapter['spawn']>
type Parts = ShellAdapter & { readonly spawn: Spawn }
type Change = (shell: Parts) => Partial<ShellAdapter>

const alter = (change: Change): Options => ({
  create: () => {
    const { shell, workspace } = createGood()
    const bound: Parts = {
      name: shell.name,
      get can() {
        return shell.can
      },
      open: async () => shell.open?.(),
      exec: (command, options) => shell.exec(command, options),
      spawn: (command, options) => shell.spawn?.(command, options) ?? Promise.reject(new Error('no spawn')),
      close: async () => shell.close?.(),
    }
    const altered = Object.defineProperties(
      {},
      { ...Object.getOwnPropertyDescriptors(bound), ...Object.getOwnPropertyDescriptors(change(bound)) },
    )
    return { workspace, shell: altered as ShellAdapter }
  },
  dispose,
})

const withProcess = (change: (process: ShellProcess, options: ShellSpawnOptions) => Partial<ShellProcess>): Change => {
  return ({ spawn }) => ({
    spawn: async (command, options = {}) => {
      const process = await spawn(command, options)
      return { ...process, ...change(process, options) }
    },
  })
}
const withOptions = (change: (options: ShellSpawnOptions) => ShellSpawnOptions): Change => {
  return ({ spawn }) => ({ spawn: (command, options = {}) => spawn(command, change(options)) })
}
const mapOutput = (change: (tell: NonNullable<ShellSpawnOptions['onOutput']>) => ShellSpawnOptions['onOutput']): Change =>
  withOptions(({ onOutput, ...options }) => ({ ...options, onOutput: onOutput && change(onOutput) }) as ShellSpawnOptions)

/** Defect that a shell may have -> the case that must notice it. */
const DEFECTS: Readonly<Record<string, [change: Change, noticed: string]>> = {
  'output is reported only at the end': [
    ({ spawn }) => ({
      spawn: async (command, options = {}) => {
        const pieces: Parameters<NonNullable<ShellSpawnOptions['onOutput']>>[0][] = []
        const process = await spawn(command, { ...options, onOutput: (piece) => void pieces.push(piece) })
        const exited = process.exited.then((exit) => {
          for (const piece of pieces) options.onOutput?.(piece)
          return exit
        })
        return { ...process, exited }
      },
    }),
    'spawn: output arrives while it runs, and in order',
  ],
  'the end is reported before the last output': [
    mapOutput((tell) => (piece) => void setTimeout(() => tell(piece), 100)),
    'spawn: all output was told when exited resolves',
  ],
  'output splits characters': [
    mapOutput(
      (tell) =>
        ({ stream, text }) =>
          text.split('').forEach((unit) => void tell({ stream, text: unit })),
    ),
    'spawn: never splits a character',
  ],
  'both streams are merged': [
    mapOutput(
      (tell) =>
        ({ text }) =>
          tell({ stream: 'stdout', text }),
    ),
    'stderr: is told apart, each stream in its order',
  ],
  'cwd is ignored': [withOptions(({ cwd: _, ...options }) => options), 'spawn: cwd and env are as for exec'],
  'a missing cwd has a foreign error': [
    ({ spawn }) => ({ spawn: (command, options) => spawn(command, options).catch((error) => Promise.reject(new Error(error.message))) }),
    'spawn: a cwd that is none rejects, and nothing runs',
  ],
  'spawn resolves at the end': [
    ({ spawn }) => ({
      spawn: async (command, options) => {
        const process = await spawn(command, options)
        await process.exited
        return process
      },
    }),
    'spawn: output arrives while it runs, and in order',
  ],
  'input is ignored': [withProcess(() => ({ write: async () => undefined })), 'closeInput: ends cat, wc and while read'],
  'lines lose their line endings': [
    withProcess((process) => ({ write: (text) => process.write(text.replaceAll('\n', '')) })),
    'closeInput: ends cat, wc and while read',
  ],
  'writing after the end is no error': [
    withProcess((process) => ({ write: (text) => process.write(text).catch(() => undefined) })),
    'write: after the end is refused as not_running',
  ],
  'a signal has no name': [
    withProcess((process) => ({ exited: process.exited.then(({ exitCode }) => ({ exitCode })) })),
    'kill: SIGTERM ends a sleep, a loop and a reader, with 128 and its number',
  ],
  'every exit code is 0 or 1': [
    withProcess((process) => ({ exited: process.exited.then(({ exitCode }) => ({ exitCode: exitCode ? 1 : exitCode })) })),
    'spawn: exit codes, and no signal',
  ],
  'every signal is KILL': [
    withProcess((process) => ({ kill: () => process.kill('SIGKILL') })),
    'processes: one that handles TERM ends as it likes',
  ],
  'the abort signal is checked only before the start': [
    withOptions(({ signal, ...options }) => (signal?.aborted ? { ...options, signal } : options)),
    'processes: children end with an aborted session',
  ],
  'kill after the end throws': [
    withProcess((process) => {
      let ended = false
      void process.exited.then(() => {
        ended = true
      })
      return { kill: (signal) => (ended ? Promise.reject(new ShellError('not_running', 'it has ended')) : process.kill(signal)) }
    }),
    'kill: after the end does nothing',
  ],
  'a terminal is used without request': [
    withOptions((options) => ({ terminal: { cols: 80, rows: 24 }, ...options })),
    'spawn: is on pipes when no terminal was asked for',
  ],
  'the size of a terminal is fixed': [
    withOptions(({ terminal, ...options }) => ({ ...options, ...(terminal && { terminal: { cols: 80, rows: 24 } }) })),
    'terminal: it has one, of the size that was asked for',
  ],
  'a terminal cannot be resized': [withProcess(() => ({ resize: async () => undefined })), 'terminal: a new size reaches the command'],
  'close leaves the shell open': [() => ({ close: async () => undefined }), 'close: spawn afterwards is refused as unavailable'],
  'the shell keeps the state itself': [
    ({ exec }) => {
      let last: Parameters<typeof exec>[1]
      return {
        exec: async (command, options) => {
          const result = await exec(command, { ...last, ...options })
          last = { ...(result.state && { state: result.state }) }
          return result
        },
      }
    },
    'state: a function goes into the next command, and only if it is handed back',
  ],
  'sessions start without the state': [withOptions(({ state: _, ...options }) => options), 'state: a session begins with it, too'],
}

describe('the session contract', () => {
  it.each(Object.entries(DEFECTS))('detects that %s', async (_, [change, noticed]) => {
    expect(await passes({ create: createGood, dispose }, noticed)).toBe(true)
    expect(await passes(alter(change), noticed)).toBe(false)
  })

  it('has unique titles and leaves out only the cases of missing parts', () => {
    const titles = (without: Options['without']): string[] => [...casesOf({ create: createGood, ...(without && { without }) }).keys()]
    const all = titles(undefined)
    expect(new Set(all).size).toBe(all.length)
    const missing = (part: NonNullable<Options['without']>[number]): string[] => {
      const some = titles([part])
      return all.filter((title) => !some.includes(title))
    }
    expect(missing('state').every((title) => title.startsWith('state: '))).toBe(true)
    expect(missing('pty').every((title) => title.startsWith('terminal: '))).toBe(true)
    expect(missing('close').every((title) => title.startsWith('close: '))).toBe(true)
    expect(missing('processes').every((title) => title.startsWith('processes: '))).toBe(true)
    expect(missing('separateStderr').every((title) => title.startsWith('stderr: '))).toBe(true)
    expect(titles(['pty'])).toContain('terminal: without terminals one that was asked for is a pipe, which is told')
  })

  it('fails when a part is missing but not in `without`, or in `without` but present', async () => {
    const title = 'lacks exactly the optional parts in "without"'
    const noState = alter(({ exec }) => ({
      exec: async (command, options) => {
        const { state: _, ...result } = await exec(command, options)
        return result
      },
    }))
    expect(await passes(noState, title)).toBe(false)
    expect(await passes({ ...noState, without: ['state'] }, title)).toBe(true)
    expect(await passes({ create: createGood, dispose, without: ['state'] }, title)).toBe(false)
  })
})
