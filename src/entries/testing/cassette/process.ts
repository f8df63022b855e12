import type { ShellExit, ShellOutput, ShellProcess } from '../../../types/shell.js'
import type { JsonValue } from '../../../types/tool.js'
import type { Workspace } from '../../../types/workspace.js'
import { applyFiles, Effects } from './effects.js'
import type { Entry, RecordedEvent } from './format.js'
import type { Tape } from './tape.js'

interface Io {
  readonly signal?: AbortSignal
  readonly onOutput?: (output: ShellOutput) => void
}

interface Started {
  readonly transport: ShellProcess['transport']
  readonly pid?: number
  /** Names of the optional methods that the process has. */
  readonly can: readonly string[]
}

const OPTIONAL = ['closeInput', 'resize'] as const

/** Records or replays a process. In a replay, the input must equal the recorded input, and output arrives between the same requests. */
export async function playProcess(
  tape: Tape,
  workspace: Workspace,
  asked: object,
  io: Io,
  start: (own: Io) => Promise<ShellProcess>,
): Promise<ShellProcess> {
  const events: RecordedEvent[] = []
  const effects = new Effects(workspace)
  let real: ShellProcess | undefined
  let kept: Entry | undefined
  const started = await tape.play<Started>(
    'process',
    asked,
    async (entry) => {
      entry.events = events
      await effects.mark()
      real = await start({
        ...io,
        onOutput: (output) => {
          // `Tape.finish` cleans the text, because a secret may continue in the next output.
          note(events, { tick: tape.ticks, [output.stream]: output.text })
          io.onOutput?.(output)
        },
      })
      const { transport, pid } = real
      return { transport, ...(pid !== undefined && { pid }), can: OPTIONAL.filter((name) => real?.[name]) }
    },
    async (entry) => {
      kept = entry
    },
  )
  if (real) {
    const process = real
    const exited = process.exited.then(async (exit) => {
      const changed = await effects.changes()
      note(events, { tick: tape.ticks, ...(changed && { changed: tape.clean(changed) as typeof changed }), exit: tape.clean(exit) })
      return exit
    })
    return withInput(tape, started, asked, process, exited)
  }
  return withInput(tape, started, asked, undefined, replayOutput(tape, workspace, kept?.events ?? [], io))
}

/** Appends an event, joining consecutive pieces of a stream between two entries. */
function note(events: RecordedEvent[], event: RecordedEvent): void {
  const last = events.at(-1)
  const stream = event.stdout === undefined ? 'stderr' : 'stdout'
  const text = event[stream]
  if (text !== undefined && last?.tick === event.tick && last?.[stream] !== undefined)
    events[events.length - 1] = { ...last, [stream]: `${last[stream]}${text}` }
  else events.push(event)
}

/** Emits each output at its recorded tick: after entries have begun and ended as many times as in the recording. */
function replayOutput(tape: Tape, workspace: Workspace, events: readonly RecordedEvent[], { onOutput }: Io): Promise<ShellExit> {
  const waiting = [...events]
  return new Promise((resolve) => {
    let turn = Promise.resolve()
    const step = async (): Promise<void> => {
      await tape.clock.yield()
      if (tape.difference) {
        stop()
        return resolve({ exitCode: null })
      }
      while (waiting[0] && (waiting[0].tick ?? 0) <= tape.ticks) {
        const { stdout, stderr, changed, exit } = waiting.shift() as RecordedEvent
        if (stdout !== undefined) onOutput?.({ stream: 'stdout', text: stdout })
        if (stderr !== undefined) onOutput?.({ stream: 'stderr', text: stderr })
        if (exit === undefined) continue
        await applyFiles(workspace, changed)
        stop()
        return resolve(exit as unknown as ShellExit)
      }
    }
    const onTick = (): void => {
      const before = turn
      turn = tape.work(() => before.then(step))
    }
    const stop = tape.onTick(onTick)
    onTick()
  })
}

/** Records each input of a process as an entry, together with the command that receives it. */
function withInput(
  tape: Tape,
  { transport, pid, can }: Started,
  asked: object,
  real: ShellProcess | undefined,
  exited: Promise<ShellExit>,
): ShellProcess {
  const command = 'shell' in asked ? asked.shell : 'js'
  const send = (input: object, live: (process: ShellProcess) => Promise<void> | undefined): Promise<void> =>
    tape
      .play<JsonValue>('process', { to: command, ...input }, async () => {
        if (real) await live(real)
        return null
      })
      .then(() => undefined)
  return {
    transport,
    ...(pid !== undefined && { pid }),
    write: (text) => send({ write: text }, (process) => process.write(text)),
    kill: (signal) => send({ kill: signal }, (process) => process.kill(signal)),
    ...(can.includes('closeInput') && { closeInput: () => send({ closeInput: true }, (process) => process.closeInput?.()) }),
    ...(can.includes('resize') && { resize: (size) => send({ resize: size }, (process) => process.resize?.(size)) }),
    exited,
  }
}
