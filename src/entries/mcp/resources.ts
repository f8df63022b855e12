import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CompleteRequestSchema,
  type CompleteResult,
  ErrorCode,
  ListResourcesRequestSchema,
  type ListResourcesResult,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { toFailure } from '../../core/result.js'
import { toBase64 } from '../../ops/base64.js'
import { detectBinary } from '../../ops/detect.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { WalkEntry, Workspace } from '../../types/workspace.js'
import { mediaTypeOf } from '../shared/media-type.js'
import { cursorAfter, readCursor } from './cursor.js'
import { RequestError } from './request-error.js'
import type { Subscriptions } from './subscriptions.js'

const LIST = 'resources/list'
const TEMPLATE = 'workspace:///{+path}'
/** Error code of the protocol for a missing resource. The SDK does not export this code. */
const RESOURCE_NOT_FOUND = -32002

export interface ResourceLimits {
  readonly pageSize: number
  readonly maxBytes: number
}

/** Serves the files of the workspace as resources. The path rules of the workspace apply. */
export function serveResources(server: Server, workspace: Workspace, subscriptions: Subscriptions, limits: ResourceLimits): void {
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, { signal }) =>
    answered(LIST, () => listFiles(workspace, limits.pageSize, params?.cursor, signal)),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ name: 'file', uriTemplate: TEMPLATE, description: 'A file of the workspace by its path, percent-encoded.' }],
  }))
  server.setRequestHandler(CompleteRequestSchema, ({ params: { ref, argument } }, { signal }) => {
    if (ref.type !== 'ref/resource' || ref.uri !== TEMPLATE || argument.name !== 'path') return { completion: { values: [] } }
    return answered('completion/complete', () => completePath(workspace, argument.value, signal))
  })
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    answered(params.uri, () => readFile(workspace, params.uri, limits.maxBytes)),
  )
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) =>
    answered(params.uri, async () => {
      await subscriptions.add(params.uri, pathOf(workspace, params.uri))
      return {}
    }),
  )
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscriptions.delete(params.uri)
    return {}
  })
}

/** Maximum number of completions in a response. */
const MOST_COMPLETIONS = 100

/** Completes a path: returns paths of files that start with the typed text. */
async function completePath(workspace: Workspace, typed: string, signal: AbortSignal): Promise<CompleteResult> {
  const values: string[] = []
  for await (const run of workspace.walk(workspace.root, { signal, usable: true, onError: () => {} })) {
    for (const { path, kind } of run) {
      const name = workspace.relative(path)
      if (kind !== 'file' || !name.startsWith(typed)) continue
      if (values.length === MOST_COMPLETIONS) return { completion: { values, hasMore: true } }
      values.push(name)
    }
  }
  return { completion: { values, total: values.length } }
}

async function listFiles(
  workspace: Workspace,
  pageSize: number,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ListResourcesResult> {
  const after = cursor === undefined ? undefined : workspace.resolve(readCursor(LIST, cursor))
  const files: WalkEntry[] = []
  // Ignore unreadable directories.
  for await (const run of workspace.walk(workspace.root, {
    signal,
    usable: true,
    onError: () => {},
    ...(after !== undefined && { after }),
  })) {
    for (const entry of run) {
      if (entry.kind !== 'file') continue
      const last = files.at(-1)
      if (last && files.length === pageSize) {
        return { resources: await toResources(workspace, files), nextCursor: cursorAfter(LIST, last.path) }
      }
      files.push(entry)
    }
  }
  return { resources: await toResources(workspace, files) }
}

const toResources = (workspace: Workspace, files: readonly WalkEntry[]): Promise<ListResourcesResult['resources']> =>
  Promise.all(files.map((file) => toResource(workspace, file)))

async function toResource(workspace: Workspace, { path, size: known }: WalkEntry): Promise<ListResourcesResult['resources'][number]> {
  // A file that was deleted meanwhile has no size.
  const size = known ?? (await workspace.stat(path).catch(() => undefined))?.size
  const mimeType = mediaTypeOf(path)
  const name = workspace.relative(path)
  return { uri: uriOf(workspace, path), name, ...(mimeType !== undefined && { mimeType }), ...(size !== undefined && { size }) }
}

async function readFile(workspace: Workspace, uri: string, maxBytes: number): Promise<ReadResourceResult> {
  const { bytes } = await workspace.readBytes(pathOf(workspace, uri), { length: maxBytes + 1 })
  if (bytes.length > maxBytes) {
    throw new RequestError(
      ErrorCode.InvalidParams,
      `Cannot read "${uri}": it is larger than ${maxBytes} bytes; read parts of it with a tool`,
    )
  }
  const text = decodeUtf8(bytes)
  const type = detectBinary(bytes, text)
  if (text !== undefined && type === undefined) return { contents: [{ uri, mimeType: mediaTypeOf(uri) ?? 'text/plain', text }] }
  return { contents: [{ uri, mimeType: type ?? 'application/octet-stream', blob: toBase64(bytes) }] }
}

/** Runs `body`, and converts its errors to protocol errors. Unexpected errors reveal nothing about this machine. */
async function answered<T>(subject: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    if (error instanceof RequestError) throw error
    const { output, error: message } = toFailure(error, { callId: null, tool: subject })
    throw new RequestError(codeOf(output.code), message)
  }
}

function codeOf(code: string): number {
  if (code === 'ENOENT' || code === 'ENOTDIR') return RESOURCE_NOT_FOUND
  return code === 'tool_threw' || code === 'EIO' ? ErrorCode.InternalError : ErrorCode.InvalidParams
}

const START = 'workspace:///'

/** Returns the URI of a virtual path, such as `workspace:///src/a%20b.ts`. */
function uriOf(workspace: Workspace, path: string): string {
  return START + workspace.relative(path).split('/').map(encodeURIComponent).join('/')
}

/**
 * Returns the virtual path of a URI. The workspace later decides whether the path may be read.
 *
 * @throws {RequestError} InvalidParams for another scheme, broken encoding, and segments that are not plain names
 */
function pathOf(workspace: Workspace, uri: string): string {
  if (!uri.startsWith(START)) throw refused(uri, `it does not begin with ${START}`)
  if (/[?#]/.test(uri)) throw refused(uri, '? and # stand for themselves only as %3F and %23')
  const names = uri
    .slice(START.length)
    .split('/')
    .map((segment) => decode(uri, segment))
  if (names.some((name) => name === '' || name === '.' || name === '..' || name.includes('/'))) {
    throw refused(uri, 'each part of its path has to be a name')
  }
  return [workspace.root === '/' ? '' : workspace.root, ...names].join('/')
}

function decode(uri: string, segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw refused(uri, 'its percent-encoding is broken')
  }
}

const LONGEST_URI = 500

function refused(uri: string, why: string): RequestError {
  return new RequestError(ErrorCode.InvalidParams, `Cannot use the resource "${uri.slice(0, LONGEST_URI)}": ${why}`)
}
