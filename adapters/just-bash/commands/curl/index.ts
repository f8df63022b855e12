import { required } from '../../../../src/errors/required.js'
import type { LocalServers } from '../../../../src/types/servers.js'
import type { ShellCommand } from '../../../../src/types/shell.js'

/**
 * Creates the command `curl` for a virtual shell: `createJustBashShell({ commands: [curlCommand(servers)] })`. It only reaches the servers
 * of sandboxed programs, at `http://localhost:PORT/`.
 */
export function curlCommand(servers: LocalServers): ShellCommand {
  required('curlCommand', 'the registry of servers, of createLocalServers()', servers, 'fetch')
  return {
    name: 'curl',
    about: 'sends HTTP requests to programs on localhost: curl http://localhost:3000/',
    run: async (args, context) => (await import('./run.js')).runCurl(args, servers, context),
  }
}
