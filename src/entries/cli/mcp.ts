import { realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, parse, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { type RootDirectories, serveMcpStdioRoots } from '../mcp/follow-roots.js'
import type { McpRoot, McpServer, McpServerOptions } from '../mcp/server.js'
import { type McpStdioOptions, serveMcpStdio } from '../mcp/stdio.js'
import { checkWanted, isWanted } from '../mcp/tool-list.js'
import { type ExitCode, outputFailed } from './exit-code.js'
import { missingFor } from './missing-port.js'
import { type CliOptions, UsageError } from './options.js'
import { plainLine } from './plain-line.js'
import { checkRoots } from './runtime.js'
import { version } from './version.js'

/**
 * Milliseconds after which the server exits. MCP clients kill a server after 2 seconds, which would leave the server's child processes
 * running, so the server exits earlier.
 */
const MOST_MS = 1800

/** Serves one MCP client on stdio until stdin ends or the signal aborts, and then exits within 2 seconds. With --http serves many clients. */
export async function mcp(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const exitCode = prepare(options, signal)
  checkOffer(runtime, options)
  const directories = options.roots.length > 0 ? options.roots : [options.root]
  const warn = options.memory ? {} : { onRoots: warnOutside(await Promise.all(directories.map((directory) => realpath(directory)))) }
  if (options.http) return (await import('./mcp-http.js')).mcpHttp(runtime, options, { ...listed(options), ...warn }, signal)
  await serveMcpStdio(runtime, { ...served(options, signal), ...warn })
  return exitCode()
}

type Open = (options: CliOptions, signal: AbortSignal) => Promise<ToolRuntime>

/**
 * Serves the directories that the client names, also after a change. @throws {UsageError} if the server rejects the first directories,
 * such as the whole file system
 */
export async function mcpFromClient(options: CliOptions, signal: AbortSignal, open: Open): Promise<ExitCode> {
  const exitCode = prepare(options, signal)
  const openChecked = async (chosen: CliOptions): Promise<ToolRuntime> => {
    const runtime = await open(chosen, signal)
    try {
      checkOffer(runtime, chosen)
    } catch (error) {
      await runtime.dispose()
      throw error
    }
    return runtime
  }
  const choose = async (roots: readonly McpRoot[] | undefined): Promise<RootDirectories> => {
    const paths = servedDirectories(roots)
    const chosen = { ...options, root: paths[0], roots: paths }
    await checkRoots(chosen)
    return { paths, open: () => openChecked(chosen) }
  }
  await serveMcpStdioRoots({ directoriesOf: choose, report: tell }, served(options, signal))
  return exitCode()
}

/** Returns a function that returns the exit code at the end. @throws {UsageError} for operands */
function prepare(options: CliOptions, signal: AbortSignal): () => ExitCode {
  const [extra] = options.operands
  if (extra !== undefined) throw new UsageError(`"mcp" takes only options, not "${extra}"`)
  let code: ExitCode = 0
  const exitCode = (): ExitCode => code
  if (options.http) return exitCode
  // Do not exit immediately when stdout closes, because child processes of the shell must be stopped first.
  process.stdout.removeAllListeners('error')
  const endWithin = (wanted: ExitCode): void => {
    code ||= wanted
    // The last write may fail after the command has returned its exit code.
    process.exitCode ||= wanted
    setTimeout(() => process.exit(code), MOST_MS).unref()
  }
  process.stdin.once('end', () => endWithin(0))
  process.stdout.once('error', (error) => endWithin(outputFailed(error)))
  signal.addEventListener('abort', () => endWithin(143), { once: true })
  return exitCode
}

/** @throws {UsageError} for a tool or group without its port, and for a name that is neither a group nor a tool */
function checkOffer(runtime: ToolRuntime, options: CliOptions): void {
  try {
    const { tools = [] } = listed(options)
    const all = runtime.registry.list()
    checkWanted(tools, all)
    const offered = new Set(runtime.getModelManifest().map(({ name }) => name))
    for (const wanted of tools) {
      const named = all.filter((tool) => isWanted(tool, [wanted]))
      const need = named[0] && !named.some(({ name }) => offered.has(name)) && missingFor(named[0], runtime)
      if (need) throw new Error(`"${wanted}" cannot be offered without ${need}`)
    }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Returns the server options. The command line overrides the configuration file. */
const listed = ({ mcp: file, compact, offer }: CliOptions): McpServerOptions => ({
  version: version(),
  ...file,
  ...(compact && { compact }),
  ...(offer && { tools: offer }),
})

const served = (options: CliOptions, signal: AbortSignal): McpStdioOptions => ({
  ...listed(options),
  signal,
  onError: ({ message }) => process.stderr.write(`toolport: ${plainLine(message.split('\n', 1)[0] ?? '')}\n`),
})

/** Returns the local directories among a client's roots. */
function directoriesOf(roots: readonly McpRoot[]): readonly string[] {
  return roots.flatMap(({ uri }) => {
    try {
      return [real(fileURLToPath(uri))]
    } catch {
      return []
    }
  })
}

/**
 * Returns the directories to serve, sorted. Leaves out a directory inside another one, because the other one contains its files.
 * @throws {UsageError} if the client names no directory, or the whole file system
 */
export function servedDirectories(roots: readonly McpRoot[] | undefined): readonly [string, ...string[]] {
  const all = new Set(directoriesOf(roots ?? []))
  const [first, ...others] = [...all].filter((path) => !isBelow(path, all)).sort()
  if (first === undefined) throw new UsageError('--root-from-client: the client names no directory as its root; give one with --root DIR')
  const everything = [first, ...others].find((path) => path === parse(path).root)
  if (everything !== undefined)
    throw new UsageError(`--root-from-client: the client names ${everything}, the whole file system; choose a directory with --root DIR`)
  return [first, ...others]
}

/** Whether one of the folders that contain the path is among the directories. */
function isBelow(path: string, directories: ReadonlySet<string>): boolean {
  const parent = dirname(path)
  return parent !== path && (directories.has(parent) || isBelow(parent, directories))
}

/**
 * Returns a function that warns about directories of this server outside the client's roots, to the client and on stderr. It changes
 * nothing else.
 */
function warnOutside(directories: readonly string[]): (roots: readonly McpRoot[], mcp: McpServer) => void {
  return (roots, mcp) => {
    if (roots.length === 0) return
    const theirs = directoriesOf(roots)
    for (const own of directories) {
      if (theirs.some((directory) => contains(directory, own))) continue
      const theirRoots = roots.map(({ uri }) => uri).join(', ')
      tell(mcp, 'warning', `The tools work in ${own}, which is not inside the client's roots: ${theirRoots}`)
    }
  }
}

/** Sends a message to the client's log and to stderr. */
function tell({ server }: McpServer, level: 'notice' | 'warning', message: string): void {
  process.stderr.write(`toolport: ${plainLine(message)}\n`)
  server.sendLoggingMessage({ level, logger: 'toolport', data: { message } }).catch(() => {})
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // The path does not exist.
    return path
  }
}

function contains(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !(sep === '\\' && /^[a-z]:/i.test(way))
}
