import { createInterface } from 'node:readline'
import type { ApprovalRequest, RuntimePolicy } from '../../types/runtime.js'
import { type CliOptions, UsageError } from './options.js'
import { whileAsking } from './terminal.js'

type Approve = NonNullable<RuntimePolicy['approve']>

/** Who answers what the policy asks; undefined: nobody, so it is denied. @throws {UsageError} */
export function approvalOf(options: Pick<CliOptions, 'approve' | 'approver' | 'command' | 'operands'>): Approve | undefined {
  const { approve, approver, command } = options
  if (approve === 'always') return () => true
  if (approve === 'never') return undefined
  if (approve === undefined && approver) return approver
  if (approve === 'ask' && command === 'mcp')
    throw new UsageError('--approve ask: "mcp" has no terminal to ask on, its client has both ends')
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
    lines.question(question(request), (answer) => settle(/^\s*y(es)?\s*$/i.test(answer)))
  })
}

const LONGEST = 4000

function question(request: ApprovalRequest): string {
  const { tool, reason, command, path, access } = request
  const about = command ?? (path === undefined ? undefined : `${access} ${path}`)
  const input = inputBeside(request)
  const head = about === undefined ? '' : shown(about)
  const beside = input === undefined ? '' : `${head === '' ? '' : '\n  with the input'}${shown(input)}`
  const why = reason === undefined ? '' : `: ${visible(reason)}`
  return `\ntoolport: "${visible(tool)}" needs an approval${why}${head}${beside}\nAllow it? [y/N] `
}

/** What else the tool is given, such as the environment of a command, which says as much as the command does. Undefined: nothing. */
function inputBeside({ input, command }: ApprovalRequest): string | undefined {
  if (command === undefined || typeof input !== 'object' || input === null) return JSON.stringify(input)
  const fields = Object.entries(input)
  const own = fields.findIndex(([, value]) => value === command)
  const others = fields.filter((_, at) => at !== own)
  return others.length === 0 ? undefined : JSON.stringify(Object.fromEntries(others))
}

/** On lines of its own, which no text can leave. */
function shown(text: string): string {
  const lines = visible(text.slice(0, LONGEST)).replaceAll('\n', '\n  | ')
  return `\n  | ${lines}${text.length > LONGEST ? `\n  ... and ${text.length - LONGEST} characters more, which are not shown` : ''}`
}

/** What a model wrote must not move the cursor, hide a part of itself or turn it around. */
const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => (one === '\n' ? one : `\\u{${one.codePointAt(0)?.toString(16)}}`))
