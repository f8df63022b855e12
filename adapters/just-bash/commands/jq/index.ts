import { binaryOf, bytesOf, textOfBytes } from '../shared/bytes.js'
import { type CommandContext, failed, inOrder, type OwnCommand, type OwnResult } from '../shared/command.js'
import { hostOf, isStopped, Stopped } from '../shared/pace.js'
import { portOf } from '../shared/port.js'
import { zoneOf } from '../shared/time/zone.js'
import { Files, Unread } from './files.js'
import { jqModule, type LocatedJq } from './module.js'
import { type Ended, runJq } from './program.js'

const MIB = 1024 * 1024
const NOT_HERE = 127
const STOPPED = 130
const TIMED_OUT = 124
/** Maximum duration in milliseconds of a call without a deadline, because nothing else can stop jq while it runs. */
const MOST_MS = 60_000

class Endless extends Error {}

/** Milliseconds after the deadline by which the stop signal has surely arrived. */
const STOP_MS = 10

/** Runs the real jq, compiled to WebAssembly. The module loads on first use. Each call runs in a new instance. */
export function jqCommand(options: LocatedJq = {}): OwnCommand {
  return {
    name: 'jq',
    async execute(args, context) {
      let module: WebAssembly.Module
      try {
        module = await jqModule(options.wasm)
      } catch (error) {
        return failed(missing(error), NOT_HERE)
      }
      try {
        return toResult(await run(module, args, context, options.memoryBytes ?? 256 * MIB))
      } catch (error) {
        if (error instanceof Endless) return failed(`jq: error: no end after ${MOST_MS / 1000} s: give the command a timeout\n`, TIMED_OUT)
        if (!(error instanceof Stopped)) throw error
        // The event loop delivers the stop signal, so let it run.
        await hostOf(context).sleep(STOP_MS, context.signal)
        return failed('', STOPPED)
      }
    },
  }
}

async function run(module: WebAssembly.Module, args: readonly string[], context: CommandContext, memoryBytes: number): Promise<Ended> {
  const { exportedEnv: env = {}, limits } = context
  const host = hostOf(context)
  const leftMs = portOf(context)?.timeLeftMs
  const endMs = host.now() + (leftMs ?? MOST_MS) + STOP_MS
  const files = new Files(context)
  await files.readAhead(args)
  for (;;) {
    // The stop signal may have arrived while a file was loaded. jq itself would not notice.
    if (isStopped(context)) throw new Stopped()
    try {
      return runJq(module, {
        args,
        env,
        files,
        input: () => bytesOf(context.stdin),
        zone: zoneOf(new Map(Object.entries(env))),
        now: () => host.now(),
        random: () => host.random(),
        checkStop: () => {
          if (host.now() > endMs) throw leftMs === undefined ? new Endless() : new Stopped()
        },
        memoryBytes,
        outputBytes: limits.maxOutputSize ?? 64 * MIB,
      })
    } catch (error) {
      if (!(error instanceof Unread)) throw error
      await files.read(error.path)
    }
  }
}

const toResult = ({ pieces, exitCode }: Ended): OwnResult =>
  inOrder(
    pieces.map(({ stdout, stderr }) => ({ stdout: binaryOf(stdout), stderr: textOfBytes(stderr) })),
    exitCode,
  )

const missing = (cause: unknown): string =>
  `jq: Cannot run jq: its WebAssembly does not load (${cause instanceof Error ? cause.message : String(cause)}). Read the JSON with awk, sed or ` +
  'node instead, or let the program that runs this shell install jq-wasm 3.0.0-jq-1.8.2 and, outside of Node, pass the option jq: { wasm } ' +
  "(import wasm from 'jq-wasm/jq.wasm'; with Vite 'jq-wasm/jq.wasm?url').\n"
