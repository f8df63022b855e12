import type { PortOption } from '../../runtime/compose-runtime.js'
import type { ShellAdapter } from '../../types/shell.js'
import { type OwnPortOption, portOf } from './own-port.js'

/** The option `shell` of an entry: `true` or `false` for its own shell or none, options of its own shell, or another shell. */
export type ShellOption<Options> = OwnPortOption<Options, ShellAdapter>

/** Returns undefined for no shell. */
export function shellOf<Options extends object>(
  option: ShellOption<Options>,
  create: (options?: Options) => PortOption<ShellAdapter>,
): PortOption<ShellAdapter> | undefined {
  return portOf(option, create, 'exec')
}
