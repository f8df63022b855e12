import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  LoggingLevelSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { isRecord } from '../../ops/is-record.js'

/** The protocol version that has no handshake. Version 1 of the SDK supports only earlier protocol versions. */
export const MODERN_VERSION = '2026-07-28'

const PREFIX = 'io.modelcontextprotocol/'
const VERSION_KEY = `${PREFIX}protocolVersion`
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`
const CLIENT_KEY = `${PREFIX}clientInfo`
const LEVEL_KEY = `${PREFIX}logLevel`
export const SERVER_KEY: string = `${PREFIX}serverInfo`
export const SUBSCRIPTION_KEY: string = `${PREFIX}subscriptionId`

const HEADER_MISMATCH = -32020
const UNSUPPORTED_VERSION = -32022

/** A JSON-RPC error with its HTTP status. */
export interface ModernProblem {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

const metaOf = (message: object): Readonly<Record<string, unknown>> => {
  const params = 'params' in message ? message.params : undefined
  return isRecord(params) && isRecord(params._meta) ? params._meta : {}
}

/** Methods that no earlier protocol version has. */
const NEW_METHODS: readonly string[] = ['server/discover', 'subscriptions/listen']

/** Whether a message declares this protocol version. */
export const declaresVersion = (message: JSONRPCMessage): boolean => VERSION_KEY in metaOf(message)

/** Whether a message declares this protocol version, or has a method that only this version has. */
export const isModern = (message: JSONRPCMessage): boolean =>
  'method' in message && (declaresVersion(message) || NEW_METHODS.includes(message.method))

/** Whether a header declares this protocol version or a later one. */
export const isModernHeader = (version: string | null): boolean => version !== null && version.trim() > LATEST_PROTOCOL_VERSION

/**
 * Returns the minimum level of the log messages that a request wants; `level` is undefined if the request wants none. Returns undefined for
 * requests of earlier protocol versions.
 */
export function logLevelOf(meta: unknown): { readonly level: string | undefined } | undefined {
  if (!isRecord(meta) || !(VERSION_KEY in meta)) return undefined
  const level = meta[LEVEL_KEY]
  return { level: typeof level === 'string' ? level : undefined }
}

/** Returns whether the client of a request can show forms to its user. Undefined for requests of earlier protocol versions. */
export function canElicit(meta: unknown): boolean | undefined {
  if (!isRecord(meta) || !(VERSION_KEY in meta)) return undefined
  const capabilities = meta[CAPABILITIES_KEY]
  const elicitation = isRecord(capabilities) ? capabilities.elicitation : undefined
  return isRecord(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** Returns why a request is invalid under this protocol version, regardless of the transport. */
export function envelopeProblem(request: JSONRPCRequest): ModernProblem | undefined {
  const meta = metaOf(request)
  const wrong = [
    typeof meta[VERSION_KEY] === 'string' ? '' : `"${VERSION_KEY}" must be a string`,
    isRecord(meta[CAPABILITIES_KEY]) ? '' : `"${CAPABILITIES_KEY}" must be an object`,
    meta[CLIENT_KEY] === undefined || isRecord(meta[CLIENT_KEY]) ? '' : `"${CLIENT_KEY}" must be an object`,
    meta[LEVEL_KEY] === undefined || LoggingLevelSchema.safeParse(meta[LEVEL_KEY]).success ? '' : `"${LEVEL_KEY}" must be a level`,
  ].filter((problem) => problem !== '')
  if (wrong.length > 0) {
    const message = `Cannot answer "${request.method}": in "params._meta", ${wrong.join(', ')}. Add what is missing.`
    return { status: 400, code: ErrorCode.InvalidParams, message }
  }
  return undefined
}

export function versionProblem(request: JSONRPCRequest): ModernProblem | undefined {
  const requested = metaOf(request)[VERSION_KEY]
  if (requested === MODERN_VERSION) return undefined
  const message = `Cannot answer "${request.method}": the protocol version "${requested}" is not supported. Use ${MODERN_VERSION}, or "initialize".`
  return { status: 400, code: UNSUPPORTED_VERSION, message, data: { supported: [MODERN_VERSION], requested } }
}

/** Returns the error for an unknown method. This protocol version has no handshake, so it does not know the methods of the handshake. */
export function methodProblem({ method }: JSONRPCRequest, withFiles: boolean): ModernProblem | undefined {
  if (METHODS.includes(method) || (withFiles && FILE_METHODS.includes(method))) return undefined
  const message = `Cannot answer "${method}": there is no such method in ${MODERN_VERSION}. "server/discover" names what there is.`
  return { status: 404, code: ErrorCode.MethodNotFound, message }
}

const METHODS: readonly string[] = [...NEW_METHODS, 'tools/list', 'tools/call']
const FILE_METHODS: readonly string[] = ['resources/list', 'resources/templates/list', 'resources/read', 'completion/complete']

/** The parameter that the header `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/**
 * Returns the error for a header that contradicts the body. Headers repeat parts of the body so that proxies can route requests without
 * reading bodies.
 */
export function headerProblem(headers: Headers, request: JSONRPCRequest): ModernProblem | undefined {
  const { method, params } = request
  const field = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined
  const name = field === undefined ? undefined : params?.[field]
  const expected = {
    'mcp-protocol-version': metaOf(request)[VERSION_KEY],
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  }
  const wrong = Object.entries(expected).find(([header, value]) => decoded(headers.get(header)) !== value)
  if (!wrong) return undefined
  const message = `Cannot answer "${method}": the header "${wrong[0]}" does not repeat the body. Send ${JSON.stringify(wrong[1])}.`
  return { status: 400, code: HEADER_MISMATCH, message }
}

/** Decodes a header value. Clients send values that headers cannot contain as Base64. */
function decoded(value: string | null): string | undefined {
  const base64 = /^=\?base64\?(.*)\?=$/.exec(value?.trim() ?? '')?.[1]
  if (base64 === undefined) return value?.trim()
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  } catch {
    return undefined
  }
}
