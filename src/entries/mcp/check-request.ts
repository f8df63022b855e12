import { ClientRequestSchema, ErrorCode, type JSONRPCErrorResponse, type JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { describeIssues, type RawIssue } from '../../core/input-issues.js'
import { isModern, methodProblem } from './modern-protocol.js'

const SCHEMAS = new Map(ClientRequestSchema.options.map((schema) => [schema.shape.method.value as string, schema]))

/** The error for a request whose parameters do not fit its method; undefined for all others. The SDK would answer with a validator's dump. */
export function problemOf(request: JSONRPCRequest): JSONRPCErrorResponse | undefined {
  const { id, method } = request
  // A method that its protocol does not have gets that as its answer.
  if (isModern(request) && methodProblem(request, true)) return undefined
  const parsed = SCHEMAS.get(method)?.safeParse(request)
  if (!parsed?.error) return undefined
  const problems = describeIssues(parsed.error.issues as readonly RawIssue[], request, {})
    .map(({ path, message }) => `"${path}": ${message}`)
    .join('; ')
  const message = `Cannot answer "${method}": ${problems}. Correct the parameters and send the request again.`
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidParams, message } }
}
