import type { ShellAdapter, ShellExecOptions, ShellOutput, ShellResult } from '../../../types/shell.js'
import type { Workspace } from '../../../types/workspace.js'
import { applyFiles, Effects } from './effects.js'
import { missing } from './missing-port.js'
import { playProcess } from './process.js'
import type { Tape } from './tape.js'

/** Records or replays a shell. `real` is missing in a replay. */
export function recordedShell(tape: Tape, workspace: Workspace, real: ShellAdapter | undefined): ShellAdapter {
  const known = tape.header.ports?.shell
  const shell: ShellAdapter = real ?? missing('shell')
  const hasSpawn = real ? real.spawn !== undefined : known?.spawn === true
  return {
    name: real?.name ?? known?.name ?? 'cassette',
    get can() {
      return real?.can ?? { ...NO_SHELL, ...known?.can }
    },
    open: async () => real?.open?.(),
    close: async () => real?.close?.(),
    async exec(command, options = {}) {
      const result = await tape.play(
        'shell',
        { command, ...plain(options) },
        async (entry) => {
          const effects = new Effects(workspace)
          await effects.mark()
          const done = await shell.exec(command, options)
          const changed = await effects.changes()
          if (changed) entry.changed = tape.clean(changed) as typeof changed
          return done
        },
        async ({ changed, answered }) => {
          await applyFiles(workspace, changed)
          tellOutput(answered as unknown as ShellResult | undefined, options.onOutput)
        },
      )
      return result
    },
    ...(hasSpawn && {
      spawn: (command, options = {}) =>
        playProcess(tape, workspace, { shell: command, ...plain(options) }, options, (own) =>
          // biome-ignore lint/style/noNonNullAssertion: `hasSpawn` has looked.
          shell.spawn!(command, { ...options, ...own }),
        ),
    }),
  }
}

const NO_SHELL = { pty: false, separateStderr: true, hardKill: false, dialect: 'bash' } as const

/** The options that can be recorded: without the signal and the callback. */
export const plain = ({
  signal: _,
  onOutput: __,
  ...options
}: Omit<ShellExecOptions, 'onOutput'> & { readonly onOutput?: unknown }): object => options

/** Emits the output as one piece per stream. */
export function tellOutput(
  result: { readonly stdout?: string; readonly stderr?: string } | undefined,
  onOutput: ((output: ShellOutput) => void) | undefined,
): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    const text = result?.[stream]
    if (text) onOutput?.({ stream, text })
  }
}
