import type { ShellCommand, ShellCommandContext, ShellCommandResult } from '../../../src/types/shell.js'
import type { Handlers, Line } from '../../shared/worker/line.js'
import type { SentCommand, SentCommandResult } from './wire.js'

/** Commands that run on the other side, and what it asks for while they do. */
export interface RemoteCommands {
  command(line: Line, name: string, about: string | undefined): ShellCommand
  readonly handlers: Handlers
}

/** @param timeLeftMs of the call that runs; undefined: it has no end */
export function remoteCommands(timeLeftMs: () => number | undefined): RemoteCommands {
  const running = new Map<number, ShellCommandContext>()
  let last = 0
  return {
    command: (line, name, about) => ({
      name,
      ...(about !== undefined && { about }),
      async run(args, context) {
        const { cwd, env, signal, input } = context
        const id = ++last
        const sent: SentCommand = {
          args,
          cwd,
          env,
          id,
          kind: input?.kind ?? 'own',
          timeLeftMs: timeLeftMs(),
        }
        const begin = async (stdin?: Uint8Array): Promise<SentCommandResult> =>
          (await line.ask('command', [name, sent, stdin], signal)) as SentCommandResult
        running.set(id, context)
        try {
          // Its input is taken from the script only when it looks at it: then it begins again. Those after it would not have it any more.
          const first = await begin()
          return (first === 'input' ? await begin(context.stdin) : first) as ShellCommandResult
        } finally {
          running.delete(id)
        }
      },
    }),
    handlers: {
      print: ([id, output]: [number, ShellCommandResult]) => running.get(id)?.print?.(output),
      input: ([id]: [number]) => running.get(id)?.input?.next(),
    },
  }
}
