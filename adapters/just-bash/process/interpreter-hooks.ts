import { FsError } from '../../../src/errors/index.js'
import { scriptFile } from '../commands/bash.js'
import type { BuiltinCall, InterpreterHooks, Route, ScriptCall } from '../hooks.js'
import { shareCounter, sleeper, startJob } from '../jobs/start.js'
import { waitBuiltin } from '../jobs/wait.js'
import type { CommandResult, Context, ExecResult, RedirectionNode } from '../library-types.js'
import { engineWords } from '../refusals.js'
import { mapfileBuiltin } from '../stdin/mapfile.js'
import { lookAtInput, readBuiltin, runProgram } from '../stdin/read.js'
import { boundEndless } from '../syntax/endless.js'
import { opensProcess, readInputFiles } from '../syntax/input-files.js'
import { commandLine, commandText } from '../syntax/print-function.js'
import { aliasBuiltin } from './aliases.js'
import type { StreamCopies } from './copies.js'
import { guardState } from './copy-state.js'
import { appending, CollectingFrame, deliver, type Frame, flushAll, merged, RedirectionFrame } from './frames.js'
import { callerBuiltin, exportFunctions, inheritFunctions, showAttributes, showFunctions } from './functions.js'
import { scriptCall } from './hashbang.js'
import { createMatch } from './match.js'
import { CHECKED_BUILTINS, keepAttributes, refusedOption, unsetArguments } from './missing-options.js'
import type { Process } from './process.js'
import { withPort } from './program-port.js'
import { nextRandom } from './random.js'
import { asText, joined, silent } from './results.js'
import type { Running } from './running.js'
import { dropOutput, prependTo, resultOf } from './scripts.js'
import { secondsOf, takeSeconds } from './seconds.js'
import { showNames } from './several-names.js'
import { debug, runErrorTrap, runPending, trapBuiltin, withExitTrap, within, withReturnTrap } from './traps.js'

export interface HookParts {
  readonly running: Running
  /** Gives way to the event loop, when it is time. */
  readonly turn: (steps?: number) => Promise<void> | undefined
  /** The words for an error of the filesystem; undefined: it is none that a command has. */
  readonly failureOf: (error: unknown) => string | undefined
  /** The script of the call begins: its shell is as new. */
  readonly begin: (call: ScriptCall) => void
  readonly copies: StreamCopies
}

/** Of the bash that the library says it is. */
const VERSION_PARTS = ['5', '2', '15', '1', 'release', 'x86_64-pc-linux-gnu']

const SPECIAL_VARIABLES = new Map<string, (host: Running['host'], context: Context) => number | string>([
  ['RANDOM', (host, context) => nextRandom(context) ?? Math.floor(host.random() * 2 ** 15)],
  ['SECONDS', (host, context) => secondsOf(context, host.now())],
  ['SRANDOM', (host) => Math.floor(host.random() * 2 ** 32)],
  ['EPOCHSECONDS', (host) => Math.floor(host.now() / 1000)],
  ['EPOCHREALTIME', (host) => (host.now() / 1000).toFixed(6)],
  ['BASH', () => '/usr/bin/bash'],
  ['LINENO', (_, { place, state }) => place.trapLine ?? state.currentLine],
  ['BASH_SUBSHELL', (_, { place }) => place.level],
  ['BASH_COMMAND', (_, { place }) => (place.command ? (commandLine(place.command) ?? commandText(place.command, '')) : '')],
])

/** What makes of the library's interpreter a shell with jobs, traps, an input that is written, and output that comes as it is printed. */
export function createHooks({ running, turn, failureOf, begin, copies }: HookParts): InterpreterHooks {
  const { sink, stop, main } = running
  const processes = new WeakMap<object, Process>()

  const scriptPlace = (call: ScriptCall): void => {
    const { context, bash, depth, Exit } = call
    const { state } = context
    // Its sets are those of all scripts of this library's shell.
    guardState(state)
    state.arrays ??= new Map()
    state.integerVars ??= new Set()
    state.integerVars.add('OPTIND').add('RANDOM').add('SECONDS')
    state.arrays.set('BASH_VERSINFO', { kind: 'indexed', elements: new Map(VERSION_PARTS.map((part, index) => [String(index), part])) })
    state.arrays.set('GROUPS', { kind: 'indexed', elements: new Map([['0', USER_ID]]) })
    keepDirectories(state)
    if (!state.env.has('SHLVL')) state.env.set('SHLVL', String(depth + 1))
    const process = depth === 0 ? main : (processes.get(context.executionScope) ?? main)
    // A command that runs a script is given its output; what jobs of it print later goes where the command stands.
    const around = process.callers.at(-1)?.place
    const mend = depth === 0 ? undefined : around?.passing?.mend
    const frame = depth === 0 ? undefined : mend ? around?.frame : new CollectingFrame(around?.frame, true, sink, { waits: false })
    const traps = new Map<string, string>()
    const readsFile = around?.readsFile
    context.place = {
      pid: state.bashPid,
      process,
      frame,
      mend,
      readsFile,
      traps,
      ownTraps: traps,
      startMs: running.host.now(),
      level: 0,
      exported: new Set(),
      bash,
      depth,
      Exit,
    }
    context.sleep = sleeper(context)
    shareCounter(context.state, running)
    if (depth === 0) {
      main.context = context
      main.scope = context.executionScope
      begin(call)
      main.errexitGiven = Boolean(state.options.errexit)
    } else {
      const caller = process.callers.at(-1)
      inheritFunctions(context, caller)
      state.exportedVars = new Set(
        [state, caller?.state].flatMap((each) => [...(each?.exportedVars ?? []), ...(each?.tempExportedVars ?? [])]),
      )
      state.exportedVars.add('PWD')
      if (!state.env.has('PATH')) {
        state.env.set('PATH', '/usr/bin:/bin')
        state.exportedVars.delete('PATH')
      }
      for (const name of around?.passing?.hidden ?? []) state.exportedVars.delete(name)
      const file = caller?.place.script
      if (file !== undefined)
        Object.assign(state, { currentSource: file, funcNameStack: ['main'], sourceStack: [file], callLineStack: [0] })
      state.env.set('OPTERR', '1')
      if (!state.env.has('PS4')) state.env.set('PS4', '+ ')
      context.state.virtualPid = running.nextPid()
      context.state.virtualPpid = caller?.state.virtualPid ?? main.pid
      context.state.bashPid = context.state.virtualPid
      context.place.pid = context.state.bashPid
      running.shells.set(context.state.virtualPid, context)
    }
  }

  return {
    async script(call) {
      scriptPlace(call)
      const { context, interpreter, ast } = call
      readInputFiles(ast)
      boundEndless(ast)
      const { virtualPid } = context.state
      const run = (): Promise<ExecResult> =>
        withExitTrap(running, context, () => interpreter.executeScript(ast)).finally(async () => {
          running.shells.delete(virtualPid)
          withoutStreams(context, [1, 2])
          const late = await call.finish()
          if (late.stdout !== '' || late.stderr !== '') await print(context, { ...late, exitCode: 0 })
        })
      const { frame, mend, depth } = context.place
      if (mend) return printAll(context, await run())
      return depth > 0 && frame instanceof CollectingFrame ? collect(context, frame, run) : run()
    },

    outlives: opensProcess,

    beforeCommand(context, node) {
      const { process, trapping, traps, level, Exit } = context.place
      if (context.state.env.has('SECONDS')) takeSeconds(context, running.host.now())
      if (level > 0 && opensProcess(node))
        throw new Exit(1, '', 'bash: exec > >(...) is not supported in a subshell. Put the commands into { ...; } and redirect that\n')
      if (process.pending.length > 0) return runPending(context)
      if (!trapping && node.type !== 'For' && commandLine(node) !== undefined) {
        context.place.command = node
        if (traps.has('DEBUG')) return debug(context, node)
      }
      return turn()
    },

    debug,
    called(context, run) {
      const { state } = context
      const { loopDepth } = state
      // `break` in a function ends no loop around its call.
      state.loopDepth = 0
      return withReturnTrap(context, true, run).finally(() => {
        state.loopDepth = loopDepth
      })
    },
    sourced: (context, run) => withReturnTrap(context, false, () => deeper(context, run)),

    pause: turn,
    match: createMatch(),
    isPipe: ({ place }) => place.readsFile === false || (place.readsFile === undefined && place.process.input !== undefined),

    afterFailure(error) {
      const words = FsError.is(error) ? failureOf(error) : engineWords(error)
      return words === undefined ? undefined : { stdout: '', stderr: `bash: ${words}\n`, exitCode: 1 }
    },

    print,

    background(interpreter, statement) {
      const result = startJob(running, interpreter, statement)
      const started = running.jobs.all().at(-1)?.process
      if (started?.scope) processes.set(started.scope, started)
      return result
    },

    async onError(context, status, statement) {
      await runErrorTrap(context, status, statement)
      if (!context.state.options.errexit || !main.errexitGiven) return
      main.errexitGiven = false
      const stderr = 'bash: this script ended at a command that failed, since `set -e` is on from an earlier one (`set +e` turns it off)\n'
      await deliver(context.place.frame, { stdout: '', stderr, exitCode: status }, sink)
    },

    async stage(context, { first, last, merged: both, own }, run) {
      const body = (): Promise<CommandResult> =>
        last
          ? run()
          : collect(
              context,
              new CollectingFrame(context.place.frame, both, sink, { merges: both }),
              both ? () => run().then(merged) : run,
              true,
            )
      if (!own) return reading(context, false, body)
      const { state } = context
      const { bashPid, lastBackgroundPid, loopDepth } = state
      const restore = guardState(state)
      Object.assign(state, { bashPid: running.nextPid(), loopDepth: 0 })
      return within(context, first ? body : () => reading(context, false, body), true).finally(() => {
        restore()
        Object.assign(state, { bashPid, lastBackgroundPid, loopDepth })
      })
    },

    async substitute(context, run, process = false) {
      const restore = guardState(context.state)
      const { options } = context.state
      if (!process && !options.inherit_errexit) options.errexit = false
      const frame = new CollectingFrame(context.place.frame, false, sink)
      const body = (): Promise<ExecResult> => collect(context, frame, () => withExitTrap(running, context, run), true)
      return within(context, () => deeper(context, body), true)
        .catch((error: unknown) => {
          // `break` ends the substitution, and no loop around it.
          if (!isLoopExit(error)) throw error
          return { ...resultOf(error), env: {}, exitCode: 0 }
        })
        .then(asText)
        .finally(restore)
    },

    subshell: (context, run) => within(context, () => withExitTrap(running, context, run)),

    async redirected(context, redirections, body, route, simple = false) {
      const { place } = context
      const readsFile = inputOf(redirections)
      const run = readsFile === undefined ? body : () => reading(context, readsFile, body)
      place.route = undefined
      const isElsewhere = simple && hasOwnOutput(context)
      if (redirections.length === 0) {
        // The library writes what a builtin prints, and what the commands of a function do.
        if (isElsewhere) place.route = (program) => framed(context, redirections, program, route, true)
        return run()
      }
      return framed(context, redirections, run, route, isElsewhere)
    },

    duplicate: (context, entry) => copies.of(context, entry),
    original: (context, fd, entry) => copies.original(context, fd, entry),

    builtins: new Set([
      'cd',
      'eval',
      'popd',
      'pushd',
      'exec',
      'read',
      'mapfile',
      'readarray',
      'wait',
      'jobs',
      'kill',
      'disown',
      'fg',
      'bg',
      'trap',
      'umask',
      'times',
      'caller',
      'export',
      ...CHECKED_BUILTINS,
    ]),

    async builtin(context, call) {
      const { place } = context
      const { route } = place
      const result = await builtin(context, call)
      if (!result?.pieces) return result
      place.route = undefined
      const body = (): Promise<CommandResult> => printAll(context, result)
      return route ? route(body) : body()
    },

    async program(context, given) {
      const call = (await scriptCall(context, given)) ?? given
      const { callers } = context.place.process
      callers.push(context)
      context.place.script = call.name === 'bash' || call.name === 'sh' ? scriptFile(call.args) : undefined
      const { mend, route } = context.place
      context.place.route = undefined
      const body = async (): Promise<CommandResult> => {
        const result = await withPort(context, call, printAll, () => runProgram(context, call))
        const failed = result.exitCode === NOT_FOUND || result.exitCode === NOT_RUN
        const told = failed && mend ? mend(result) : result
        return told.pieces ? printAll(context, told) : told
      }
      try {
        return await (route ? route(body) : body())
      } finally {
        callers.pop()
      }
    },
    special(context, name, isAsked) {
      const special = SPECIAL_VARIABLES.get(name)
      return special && (isAsked ? '' : String(special(running.host, context)))
    },
    input: lookAtInput,
  }

  async function builtin(context: Context, call: BuiltinCall): Promise<CommandResult | null> {
    const { name, args, plain } = call
    if (plain || !context.state.functions.has(name)) {
      const refused = refusedOption(name, args)
      if (refused) return refused
    }
    if (name === 'read') return readBuiltin(context, call)
    if (name === 'mapfile' || name === 'readarray') return mapfileBuiltin(context, call)
    if (!plain && context.state.functions.has(name)) return call.run(call.stdin)
    if (name === 'declare' || name === 'typeset') {
      const shown = showFunctions(context, args) ?? (await showAttributes(call))
      if (shown) return shown
    }
    if (name === 'alias') return aliasBuiltin(context, args)
    if (name === 'unset') return call.run(call.stdin, unsetArguments(context, args))
    if (CHECKED_BUILTINS.includes(name)) {
      keepAttributes(context, name, args)
      const run: BuiltinCall['run'] = async (stdin, args) => {
        const result = await call.run(stdin, args)
        if (name === 'set' && result?.exitCode) return { ...result, exitCode: 2 }
        return name === 'shopt' && result ? { ...result, stdout: result.stdout.replace(/^(\w+)\t\t/gm, padded) } : result
      }
      return (await showNames({ ...call, run })) ?? run(call.stdin)
    }
    if (name === 'export') return exportFunctions(context, args) ?? call.run(call.stdin)
    if (name === 'umask') return umaskBuiltin(args)
    if (name === 'times') return { stdout: '0m0.000s 0m0.000s\n'.repeat(2), stderr: '', exitCode: 0 }
    if (name === 'caller') return callerBuiltin(context, args)
    switch (name) {
      case 'cd':
      case 'popd':
      case 'pushd': {
        const result = await call.run(call.stdin)
        keepDirectories(context.state)
        return result
      }
      case 'eval':
        return deeper(context, () => call.run(call.stdin))
      case 'exec':
        return args.length === 0 ? call.run(call.stdin) : exec(context, call)
      case 'wait':
        return waitBuiltin(running, context, args)
      case 'jobs':
        return (await import('../jobs/builtins.js')).jobsBuiltin(running, context, args)
      case 'kill': {
        const result = (await import('../jobs/builtins.js')).killBuiltin(running, context, args)
        // It may have been itself.
        await flushAll(context.place.frame)
        return result
      }
      case 'disown':
        return (await import('../jobs/builtins.js')).disownBuiltin(running, context, args)
      case 'fg':
        return (await import('../jobs/builtins.js')).fgBuiltin(running, context, args)
      case 'bg':
        return (await import('../jobs/builtins.js')).bgBuiltin(running, context, args)
      default:
        return trapBuiltin(context, args)
    }
  }

  /** The command takes the place of the shell, whose traps are gone. */
  async function exec(context: Context, call: BuiltinCall): Promise<never> {
    const result = (await call.run(call.stdin)) ?? silent({ stdout: '', stderr: '', exitCode: 0 })
    const { stdout, stderr } = await print(context, result)
    context.place.traps.clear()
    throw new context.place.Exit(result.exitCode, stdout, stderr)
  }

  function print(context: Context, result: CommandResult): CommandResult | Promise<CommandResult> {
    const { frame } = context.place
    const charged = charge(context, result)
    if (frame) return printWithin(frame, charged)
    sink(charged)
    if (running.endless) context.executionScope.outputBytes -= bytesOf(charged)
    return silent(charged)
  }

  /** In the order in which it was printed. */
  async function printAll<R extends CommandResult>(context: Context, result: R): Promise<R> {
    const { pieces = [result] } = result
    let { exitCode } = result
    for (const { stdout, stderr } of pieces) {
      if (stdout === '' && stderr === '') continue
      const written = await print(context, { ...result, stdout, stderr, pieces: undefined })
      if (written.exitCode !== result.exitCode) exitCode = written.exitCode
    }
    return { ...silent(result), pieces: undefined, exitCode }
  }

  /** Runs a command whose output goes where redirections and `exec` say. `isElsewhere`: `exec` has sent it somewhere. */
  async function framed(
    context: Context,
    redirections: readonly RedirectionNode[],
    run: () => Promise<CommandResult>,
    route: Route,
    isElsewhere: boolean,
  ): Promise<CommandResult> {
    const { place } = context
    const { cwd } = context.state
    const later = appending(redirections)
    const around = place.frame
    const frame = new RedirectionFrame({
      parent: around,
      redirections,
      isElsewhere,
      now: () => running.host.now(),
      sink,
      route: (result) => route(at(context, cwd), later, result),
    })
    if (!frame.out && !frame.err) return run()
    place.frame = frame
    const restore = withoutStreams(context, frame.redirected)
    try {
      const result = await run()
      // What is left would be written over what is there.
      if (!frame.used || (result.stdout === '' && result.stderr === '')) return result
      await deliver(frame, result, sink)
      return silent(result)
    } finally {
      restore()
      place.frame = around
      await frame.flush()
    }
  }

  /** A file that cannot be written fails the command. */
  async function printWithin(frame: Frame, result: CommandResult): Promise<CommandResult> {
    try {
      await deliver(frame, result, sink)
      return silent(result)
    } catch (error) {
      const words = FsError.is(error) ? failureOf(error) : undefined
      if (words === undefined) throw error
      await deliver(frame, { stdout: '', stderr: `bash: ${words}\n`, exitCode: 1 }, sink).catch(() => {})
      return { ...silent(result), exitCode: 1 }
    }
  }

  /** Runs something whose output is to be its result. `piped`: nobody sees it when the call is stopped. */
  async function collect<R extends CommandResult>(
    context: Context,
    frame: CollectingFrame,
    run: () => Promise<R>,
    piped = false,
  ): Promise<R> {
    const kept = (): CommandResult => (piped && stop.reason !== undefined ? { ...frame.close(), stdout: '' } : frame.close())
    const { place } = context
    const around = place.frame
    place.frame = frame
    const restore = withoutStreams(context, frame.err ? [1, 2] : [1])
    let result: R
    try {
      result = await run()
      while (frame.jobs?.size && stop.reason === undefined && place.process.stop.reason === undefined) {
        await place.process.stop.until(Promise.all(frame.jobs))
      }
    } catch (error) {
      if (piped && stop.reason !== undefined) dropOutput(error)
      prependTo(error, kept())
      throw error
    } finally {
      restore()
      place.frame = around
    }
    if (piped && stop.reason !== undefined) result = { ...result, stdout: '' }
    const all = joined(kept(), result)
    const { stdout, stderr, stdoutKind, internalOutputAccounting } = all
    return {
      ...result,
      stdout,
      stderr,
      ...(stdout !== '' && { stdoutKind, stdoutEncoding: all.stdoutEncoding }),
      ...(internalOutputAccounting && { internalOutputAccounting }),
    }
  }
}

/** With one more `+` in front of what `set -x` shows. */
async function deeper<T>({ place }: Context, run: () => Promise<T>): Promise<T> {
  const { traceDepth = 0 } = place
  place.traceDepth = traceDepth + 1
  try {
    return await run()
  } finally {
    place.traceDepth = traceDepth
  }
}

/** Whether redirections give a file to read; undefined: they leave the input as it is. */
function inputOf(redirections: readonly RedirectionNode[]): boolean | undefined {
  const last = redirections.findLast(({ operator, fd }) => operator.startsWith('<') && (fd ?? 0) === 0)
  if (!last) return undefined
  return last.operator === '<' && 'source' in last.target && !/^(?:<\(|\/dev\/)/.test(last.target.source ?? '<(')
}

async function reading<T>({ place }: Context, readsFile: boolean, run: () => Promise<T>): Promise<T> {
  const before = place.readsFile
  place.readsFile = readsFile
  try {
    return await run()
  } finally {
    place.readsFile = before
  }
}

const USER_ID = '1000'

/** What DIRSTACK shows. */
function keepDirectories({ arrays, cwd, directoryStack = [] }: Context['state']): void {
  const elements = new Map([cwd, ...directoryStack].map((directory, index) => [String(index), directory]))
  arrays?.set('DIRSTACK', { kind: 'indexed', elements })
}

const NOT_FOUND = 127
const NOT_RUN = 126

/** `exec` has redirected one of its streams. */
const hasOwnOutput = ({ state }: Context): boolean =>
  [1, 2].some((fd) => state.fileDescriptors?.has(fd) || state.closedStandardFds?.has(fd))

/** Hides where `exec` has sent streams that a redirection, a pipe or a substitution takes; gives what puts it back. */
function withoutStreams({ state }: Context, streams: readonly number[]): () => void {
  const undo = streams.map((fd) => {
    const entry = state.fileDescriptors?.get(fd)
    state.fileDescriptors?.delete(fd)
    const isClosed = state.closedStandardFds?.delete(fd)
    return () => {
      if (entry === undefined) state.fileDescriptors?.delete(fd)
      else state.fileDescriptors?.set(fd, entry)
      if (isClosed) state.closedStandardFds?.add(fd)
    }
  })
  return () => {
    for (const each of undo) each()
  }
}

const isLoopExit = (error: unknown): boolean => ['BreakError', 'ContinueError'].includes((error as Error).name)

/** Names of options, as bash lists them. */
const padded = (_: string, option: string): string => `${option.padEnd(15)}\t`

/** Files are made with one mode here: that mask can be shown, and set again. */
function umaskBuiltin(args: readonly string[]): CommandResult {
  const [first, ...rest] = args
  const symbolic = first === '-S' && rest.length === 0
  if (first === undefined || symbolic || (rest.length === 0 && /^0*22$|^u=rwx,g=rx,o=rx$/.test(first)))
    return { stdout: first === undefined ? '0022\n' : symbolic ? 'u=rwx,g=rx,o=rx\n' : '', stderr: '', exitCode: 0 }
  return { stdout: '', stderr: `bash: umask: ${args.join(' ')}: the mask is always 0022 here: use chmod\n`, exitCode: 1 }
}

export function charge(context: Context, result: CommandResult): CommandResult {
  // The library may have frozen it.
  return context.executionScope.accountResult(Object.isExtensible(result) ? result : { ...result }, 'command')
}

export const bytesOf = ({ internalOutputAccounting: charged }: CommandResult): number => (charged?.stdout ?? 0) + (charged?.stderr ?? 0)

/** The context as it was in another directory: names of files are of where the redirection stands. */
function at(context: Context, cwd: string): Context {
  if (context.state.cwd === cwd) return context
  return { ...context, state: Object.create(context.state, { cwd: { value: cwd } }) }
}
