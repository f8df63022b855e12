import type { ProgramPort } from '../../process/program-port.js'

/** The part of a command's context from which `portOf` gets the port. */
export interface PortContext {
  /** Calls `receive` with the port of the running program. Only our build of just-bash has this function. */
  readonly invokeTool?: (receive: (port: ProgramPort) => void) => void
}

/** Returns the port of a command, which is valid while the command runs. Undefined in other builds of just-bash. */
export function portOf({ invokeTool }: PortContext): ProgramPort | undefined {
  let port: ProgramPort | undefined
  invokeTool?.((given) => {
    port = given
  })
  return port
}
