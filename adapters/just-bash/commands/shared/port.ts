import type { ProgramPort } from '../../process/program-port.js'

/** The part of a command's context that leads to its port. */
export interface PortContext {
  /** Calls `receive` with the port of the running program. Missing in other builds of the library. */
  readonly invokeTool?: (receive: (port: ProgramPort) => void) => void
}

/** Returns the port of a command, which is valid while the command runs. Undefined in other builds of the library. */
export function portOf({ invokeTool }: PortContext): ProgramPort | undefined {
  let port: ProgramPort | undefined
  invokeTool?.((given) => {
    port = given
  })
  return port
}
