import { createInterface } from 'node:readline'
import type { ApprovalRequest, RuntimePolicy } from '../../types/runtime.js'
import { describeApproval } from '../shared/describe-approval.js'
import type { CliOptions } from './options.js'
import { whileAsking } from './terminal.js'

type Approve = NonNullable<RuntimePolicy['approve']>

/** Who answers what the policy asks; undefined: nobody, so it is denied. */
export function approvalOf(options: Pick<CliOptions, 'approve' | 'approver' | 'command' | 'operands'>): Approve | undefined {
  const { approve, approver, command } = options
  if (approve === 'always') return () => true
  if (approve === 'never') return undefined
  if (approve === undefined && approver) return approver
  // Its client has both ends of the terminal: the person there is asked.
  if (command === 'mcp') return async (request) => (await import('../mcp/approval.js')).approveByMcpClient(request)
  const why = silent(options)
  if (why === undefined) return askOnTerminal()
  if (approve === 'ask') process.stderr.write(`toolport: ${why}: what needs an approval is denied\n`)
  return undefined
}

/** Why nobody can be asked. */
function silent({ command, operands }: Pick<CliOptions, 'command' | 'operands'>): string | undefined {
  if (command !== 'call' && command !== 'run') return `"${command}" asks nobody`
  if (operands.includes('-')) return 'nobody can be asked, stdin has the input'
  if (!process.stdin.isTTY || !process.stderr.isTTY) return 'nobody can be asked, stdin and stderr are no terminal'
  return undefined
}

/** One question at a time, on stderr; only `y` and `yes` are a yes. */
function askOnTerminal(): Approve {
  let before: Promise<unknown> = Promise.resolve()
  return (request) => {
    const answer = before.then(() => whileAsking(() => ask(request)))
    before = answer
    return answer
  }
}

function ask(request: ApprovalRequest): Promise<boolean> {
  const { signal } = request
  if (signal.aborted) return Promise.resolve(false)
  // Not as a terminal of its own: the system's line editing, and its Ctrl+C, stay.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  return new Promise((resolve) => {
    const settle = (answer: boolean): void => {
      signal.removeEventListener('abort', onAbort)
      resolve(answer)
      lines.close()
    }
    const onAbort = (): void => {
      process.stderr.write('\n')
      settle(false)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    lines.once('close', () => settle(false))
    lines.question(`\ntoolport: ${describeApproval(request)}\nAllow it? [y/N] `, (answer) => settle(/^\s*y(es)?\s*$/i.test(answer)))
  })
}
