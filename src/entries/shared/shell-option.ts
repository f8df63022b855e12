import type { PortOption } from '../../runtime/compose-runtime.js'
import type { ShellAdapter } from '../../types/shell.js'
import { type OwnPortOption, portOf } from './own-port.js'

/** The option `shell`. `true`: the entry's default shell; `false`: no shell. Or options of the default shell, or another shell. */
export type ShellOption<Options> = OwnPortOption<Options, ShellAdapter>

/** Returns the shell that an option selects; undefined for no shell. */
export function shellOf<Options extends object>(
  option: ShellOption<Options>,
  create: (options?: Options) => PortOption<ShellAdapter>,
): PortOption<ShellAdapter> | undefined {
  return portOf(option, create, 'exec')
}
