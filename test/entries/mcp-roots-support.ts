import { pathToFileURL } from 'node:url'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { CLI, ended, startCli } from './cli-support.js'
import { newClient } from './mcp-support.js'

export const uriOf = (path: string): string => pathToFileURL(path).href

/**
 * Connects a client to `toolport mcp`. The client can change its roots and delay its responses to `roots/list`. Records the server's own
 * log messages, its changes of the list of tools, and its stderr. Adds the client to `clients`.
 */
export async function connectRoots(clients: Client[], cwd: string, args: readonly string[], first: readonly string[] | undefined) {
  const roots = { now: first, answered: Promise.resolve() }
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...args], cwd, stderr: 'pipe' })
  const told = { stderr: '', logged: [] as unknown[], asked: 0, toolChanges: 0, levels: [] as string[] }
  transport.stderr?.on('data', (chunk) => {
    told.stderr += chunk
  })
  const client = newClient(first && { roots: { listChanged: true } })
  clients.push(client)
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    told.levels.push(params.level)
    if (params.logger === 'toolport') told.logged.push(params)
  })
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void told.toolChanges++)
  if (first)
    client.setRequestHandler(ListRootsRequestSchema, async () => {
      told.asked++
      const answer = { roots: (roots.now ?? []).map((uri) => ({ uri })) }
      await roots.answered
      return answer
    })
  await client.connect(transport)
  const change = (...uris: readonly string[]): Promise<void> => {
    roots.now = uris
    return client.sendRootsListChanged()
  }
  return { client, roots, told, change }
}

export const initialize = (capabilities: object): object => ({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'test', version: '1' } },
})

export interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly requestId?: number }
  readonly error?: { readonly message: string }
  readonly result?: { readonly isError?: boolean }
}

export const messagesOf = (stdout: string): readonly Message[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** Starts `toolport mcp --root-from-client` for a hand-written client. */
export function beginByHand(root: string, args: readonly string[] = []) {
  const child = startCli(root, ['mcp', '--root-from-client', ...args])
  const said = { stdout: '' }
  child.stdout.on('data', (text) => {
    said.stdout += text
  })
  const say = (...messages: readonly object[]): void => {
    for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  const received = (): readonly Message[] => messagesOf(said.stdout)
  return { child, end: ended(child), say, received }
}
