import type { PortOption } from '../../runtime/create-runtime.js'
import type { ShellAdapter } from '../../types/shell.js'

/** What an entry takes as `shell`: its own shell or none, options for its own shell, or another shell. */
export type ShellOption<Options> = boolean | Options | PortOption<ShellAdapter>

/** `undefined` for no shell. */
export function shellOf<Options extends object>(
  option: ShellOption<Options>,
  create: (options?: Options) => PortOption<ShellAdapter>,
): PortOption<ShellAdapter> | undefined {
  if (typeof option === 'boolean') return option ? create() : undefined
  return isShell(option) ? option : create(option)
}

function isShell<Options>(option: Options | PortOption<ShellAdapter>): option is PortOption<ShellAdapter> {
  return typeof option === 'function' || (typeof option === 'object' && option !== null && 'exec' in option)
}
