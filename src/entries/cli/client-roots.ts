import { realpathSync } from 'node:fs'
import { parse, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { McpRoot, McpServer } from '../mcp/server.js'
import { UsageError } from './options.js'

/** The directories among a client's roots; what is none of this machine is left out. */
export function directoriesOf(roots: readonly McpRoot[]): readonly string[] {
  return roots.flatMap(({ uri }) => {
    try {
      return [real(fileURLToPath(uri))]
    } catch {
      return []
    }
  })
}

/** @throws {UsageError} where the client names none, several, or all of the file system */
export function soleDirectory(roots: readonly McpRoot[] | undefined): string {
  const [directory, more] = new Set(directoriesOf(roots ?? []))
  if (directory === undefined)
    throw new UsageError('--root-from-client: the client names no directory as its root; give one with --root DIR')
  if (more !== undefined) throw new UsageError('--root-from-client: the client names several directories; choose one with --root DIR')
  if (directory === parse(directory).root)
    throw new UsageError(`--root-from-client: the client names ${directory}, all of the file system; choose a directory with --root DIR`)
  return directory
}

/** Tells the client, and stderr, when what it works in is not where this server works: nothing is changed by it. */
export function warnOutside(root: string): (roots: readonly McpRoot[], mcp: McpServer) => void {
  return (roots, { server }) => {
    if (roots.length === 0 || directoriesOf(roots).some((directory) => contains(directory, root))) return
    const message = `The tools work in ${root}, which is not in what the client works in: ${roots.map(({ uri }) => uri).join(', ')}`
    process.stderr.write(`toolport: ${message.replaceAll(/\p{Control}/gu, ' ')}\n`)
    server.sendLoggingMessage({ level: 'warning', logger: 'toolport', data: { message } }).catch(() => {})
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Nothing is there.
    return path
  }
}

function contains(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !(sep === '\\' && /^[a-z]:/i.test(way))
}
