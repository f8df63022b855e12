import type { ApprovalRequest, RuntimePolicy } from '../../types/runtime.js'
import { describeApproval } from '../shared/describe-approval.js'
import type { CliOptions } from './options.js'
import { confirm, whileAsking } from './terminal.js'

type Approve = NonNullable<RuntimePolicy['approve']>

/** Returns the function that answers approval requests. Undefined if there is no approver; requests are then denied. */
export function approvalOf(options: Pick<CliOptions, 'approve' | 'approver' | 'command' | 'operands'>): Approve | undefined {
  const { approve, approver, command } = options
  if (approve === 'always') return () => true
  if (approve === 'never') return undefined
  if (approve === undefined && approver) return approver
  // The MCP client owns both ends of stdio, so the client asks its user.
  if (command === 'mcp') return async (request) => (await import('../mcp/approval.js')).approveByMcpClient(request)
  const why = silent(options)
  if (why === undefined) return askOnTerminal()
  if (approve === 'ask') process.stderr.write(`toolport: ${why}: what needs an approval is denied\n`)
  return undefined
}

/** Returns why the command cannot ask anyone; undefined if it can. */
function silent({ command, operands }: Pick<CliOptions, 'command' | 'operands'>): string | undefined {
  if (command !== 'call' && command !== 'run') return `"${command}" asks nobody`
  if (operands.includes('-')) return 'nobody can be asked, stdin has the input'
  if (!process.stdin.isTTY || !process.stderr.isTTY) return 'nobody can be asked, stdin and stderr are no terminal'
  return undefined
}

/** Returns an approver that asks on stderr, one question at a time. Only `y` and `yes` approve. */
function askOnTerminal(): Approve {
  let before: Promise<unknown> = Promise.resolve()
  return (request) => {
    const answer = before.then(() => whileAsking(() => ask(request)))
    before = answer
    return answer
  }
}

function ask(request: ApprovalRequest): Promise<boolean> {
  return confirm(`\ntoolport: ${describeApproval(request)}\nAllow it? [y/N] `, request.signal)
}
