import type { PortOption } from '../../runtime/compose-runtime.js'
import type { Workspace } from '../../types/workspace.js'

/**
 * The option for a port. `true`: the entry's default adapter; `false`: no adapter. Or options of the default adapter, or another adapter.
 */
export type OwnPortOption<Options, Port> = boolean | Options | PortOption<Port>

/**
 * Returns the adapter that an option selects; undefined for no adapter. `method` names a method that every adapter has and no options
 * object has.
 */
export function portOf<Options extends object, Port extends object>(
  option: OwnPortOption<Options, Port>,
  create: (options?: Options) => PortOption<Port>,
  method: keyof Port,
): PortOption<Port> | undefined {
  if (typeof option === 'boolean') return option ? create() : undefined
  return isPort(option, method) ? option : create(option)
}

/** Creates one adapter per workspace, which all callers share. */
export function sharedPort<Port extends object>(option: PortOption<Port>): PortOption<Port> {
  if (typeof option !== 'function') return option
  const made = new WeakMap<Workspace, Port>()
  return (workspace) => {
    const port = made.get(workspace) ?? option(workspace)
    made.set(workspace, port)
    return port
  }
}

function isPort<Options, Port>(option: Options | PortOption<Port>, method: keyof Port): option is PortOption<Port> {
  return typeof option === 'function' || (typeof option === 'object' && option !== null && method in option)
}
