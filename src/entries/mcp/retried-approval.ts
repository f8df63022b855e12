import type { CallToolResult, ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js'
import { sha256 } from '../../ops/archive/sha256.js'
import { isRecord } from '../../ops/is-record.js'
import type { ApprovalRequest } from '../../types/runtime.js'
import type { AnyTool, ToolResult } from '../../types/tool.js'
import { describeApproval } from '../shared/describe-approval.js'

/** The parameters of an elicitation that the user can only accept or reject. */
export const elicitationFor = (request: ApprovalRequest): ElicitRequestFormParams => ({
  message: describeApproval(request),
  requestedSchema: { type: 'object', properties: {} },
})

/**
 * The approvals of one call in the protocol version 2026-07-28, in which servers send no requests. The call ends with the question as its
 * result, and the client repeats the call with the answer. The server keeps nothing in between. The key of a question is a hash of its
 * tool, input, path, access and command, so an answer approves nothing else. The id of an input request contains the keys of the accepted
 * questions and then its own, because clients return only the answers of the last round.
 */
export class RetriedApproval {
  readonly #tool: AnyTool
  readonly #canAsk: boolean
  /** Whether the user accepted a question, by key. */
  readonly #answers = new Map<string, boolean>()
  readonly #accepted: string[] = []
  #pending: { readonly key: string; readonly request: ApprovalRequest } | undefined

  /** `params` are those of the call. When a client repeats a call, they contain its answers, which are untrusted like every input. */
  constructor(tool: AnyTool, canAsk: boolean, params: Readonly<Record<string, unknown>>) {
    this.#tool = tool
    this.#canAsk = canAsk
    for (const [id, response] of Object.entries(isRecord(params.inputResponses) ? params.inputResponses : {})) {
      const [key = '', ...earlier] = id.split(' ').reverse()
      for (const accepted of earlier) this.#answers.set(accepted, true)
      this.#answers.set(key, isRecord(response) && response.action === 'accept')
    }
  }

  /** Returns whether the user has accepted this question. A question without an answer is denied, and becomes the result of the call. */
  async ask(request: ApprovalRequest): Promise<boolean> {
    if (!this.#canAsk || !comesFirst(this.#tool, request)) return false
    const key = await keyOf(request)
    const answer = this.#answers.get(key)
    if (answer) this.#accepted.push(key)
    if (answer === undefined) this.#pending ??= { key, request }
    return answer ?? false
  }

  /** Returns the result that asks the user. Undefined if the call did not fail because of a question, or if it keeps changes. */
  questionOf(result: ToolResult): CallToolResult | undefined {
    if (!this.#pending || result.ok || result.output.code !== 'approval_required' || 'applied' in result.output) return undefined
    const { key, request } = this.#pending
    return {
      content: [],
      resultType: 'input_required',
      inputRequests: { [[...this.#accepted, key].join(' ')]: { method: 'elicitation/create', params: elicitationFor(request) } },
    }
  }
}

/**
 * Whether the tool has changed nothing when it asks, so that the call can be repeated: the question is about the tool itself, about the
 * command of the input, or about a path of a tool that only changes files, which it changes completely or not at all.
 */
function comesFirst({ requires = [], annotations }: AnyTool, { input, command, path }: ApprovalRequest): boolean {
  if (command !== undefined) return isRecord(input) && input.command === command
  return path === undefined || (requires.length === 0 && annotations?.openWorldHint === false)
}

function keyOf({ callId: _, signal: __, ...shown }: ApprovalRequest): Promise<string> {
  return sha256(new TextEncoder().encode(JSON.stringify(shown)))
}
