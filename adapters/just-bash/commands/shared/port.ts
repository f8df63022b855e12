import type { ProgramPort } from '../../process/program-port.js'
import type { CommandContext } from './command.js'

/** Returns the port of a command, which is valid while the command runs. Undefined in other builds of the library. */
export function portOf({ invokeTool }: CommandContext): ProgramPort | undefined {
  let port: ProgramPort | undefined
  invokeTool?.((given) => {
    port = given
  })
  return port
}
