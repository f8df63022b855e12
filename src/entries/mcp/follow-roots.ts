import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { notify } from './calls.js'
import { askRoots, ClientConnection } from './client-roots.js'
import type { McpRoot, McpServer } from './server.js'
import {
  closeAtEnd,
  connect,
  type Ends,
  LAST_ANSWERS_MS,
  type McpStdioOptions,
  type Served,
  stdioTransport,
  watchStreams,
} from './stdio-server.js'

/** The directories of a client's roots, before a runtime works in them. */
export interface RootDirectories {
  /** Real paths, sorted. */
  readonly paths: readonly string[]
  /** Opens a runtime in these directories. */
  readonly open: () => Promise<ToolRuntime>
}

/** Callbacks of `serveMcpStdioRoots`. */
export interface RootsCallbacks {
  /** Returns the directories of these roots. `roots` is undefined if the client reports none. Rejects if the server cannot serve them. */
  directoriesOf(roots: readonly McpRoot[] | undefined): Promise<RootDirectories>
  /** Called after a change of the roots: with the new directories, or with the reason why the server keeps its directories. */
  report(mcp: McpServer, level: 'notice' | 'warning', message: string): void
}

const STOPPED =
  "The client's roots have changed, so the server has stopped this request. A call may have made a part of its changes. Send the request again to run it in the new roots."

/**
 * Serves the client's roots over stdin and stdout, and follows their changes. After a change, requests wait. Running calls have one more
 * second. Then the server disposes the runtime and opens another runtime in the new directories, on the same connection. If it cannot serve
 * the new roots, it keeps its directories.
 *
 * If the server cannot serve the first roots, all requests get the error, and this function rejects with it. Resolves when the client
 * disconnects.
 */
export async function serveMcpStdioRoots(callbacks: RootsCallbacks, options: McpStdioOptions = {}): Promise<void> {
  const ends = watchStreams(options.signal)
  const connection = new ClientConnection(stdioTransport(), ends.leave)
  try {
    const asked = await askRoots(connection, { ...options, ended: ends.ended })
    if (asked) await followRoots({ connection, callbacks, options, ends }, await callbacks.directoriesOf(asked.roots))
  } catch (error) {
    connection.refuse((error as Error).message)
    if (!ends.gone.aborted) throw error
  } finally {
    await connection.close()
  }
}

interface RootsServer {
  readonly connection: ClientConnection
  readonly callbacks: RootsCallbacks
  readonly options: McpStdioOptions
  readonly ends: Ends
}

async function followRoots(server: RootsServer, first: RootDirectories): Promise<void> {
  const { connection, callbacks, options, ends } = server
  let opened: Opened = { directories: first, runtime: await first.open() }
  let tools = listed(opened.runtime)
  while (!ends.gone.aborted) {
    const { directories, runtime, news } = opened
    const served = await connect(connection.link(), runtime, options)
    if (news) callbacks.report(served.mcp, ...news)
    if (tools !== listed(runtime)) notify(served.mcp.server.sendToolListChanged())
    tools = listed(runtime)
    const change = nextDirectories(server, served.mcp, directories)
    closeAtEnd(served, ends)
    const next = await Promise.race([change, served.closed])
    if (next) await stop(served, connection, runtime)
    await runtime.dispose()
    if (!next || ends.ended.aborted) return
    opened = await reopen(next, directories)
  }
  await opened.runtime.dispose()
}

const listed = (runtime: ToolRuntime): string => JSON.stringify(runtime.getModelManifest())

/** Resolves when the client's roots become other directories that the server can serve. Undefined: the client has disconnected. */
async function nextDirectories(server: RootsServer, mcp: McpServer, now: RootDirectories): Promise<RootDirectories | undefined> {
  const { connection, callbacks } = server
  for (;;) {
    await connection.rootsChanged()
    const asking = mcp.roots().then((roots) => callbacks.directoriesOf(roots))
    const next = await asking.catch((error: Error) => error)
    if (!mcp.server.transport) return undefined
    // The roots have changed again meanwhile.
    if (connection.isOutdated) continue
    if (next instanceof Error) callbacks.report(mcp, ...kept(now, next))
    else if (next.paths.join('\0') !== now.paths.join('\0')) return next
  }
}

type News = readonly ['notice' | 'warning', string]

const kept = ({ paths }: RootDirectories, { message }: Error): News => [
  'warning',
  `The tools still work in ${paths.join(', ')}, because the server cannot serve the client's new roots: ${message}`,
]

interface Opened {
  readonly directories: RootDirectories
  readonly runtime: ToolRuntime
  readonly news?: News
}

/** Opens the next directories, or the previous ones again if that fails. */
async function reopen(next: RootDirectories, before: RootDirectories): Promise<Opened> {
  try {
    const runtime = await next.open()
    return {
      directories: next,
      runtime,
      news: ['notice', `The tools now work in ${next.paths.join(', ')}: the client's roots have changed`],
    }
  } catch (error) {
    return { directories: before, runtime: await before.open(), news: kept(before, error as Error) }
  }
}

/** Stops serving a runtime, without closing the connection. Every open request gets an answer. */
async function stop({ mcp, gate, closed }: Served, connection: ClientConnection, runtime: ToolRuntime): Promise<void> {
  await Promise.race([gate.answered(LAST_ANSWERS_MS), closed])
  await gate.refuse(STOPPED, () => runtime.dispose())
  connection.unlink()
  await mcp.close()
}
