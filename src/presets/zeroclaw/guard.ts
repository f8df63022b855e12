import { createSecurityPolicy, type Reservation, type SecurityPolicy, type SecurityPolicyOptions } from '../../core/security/index.js'
import { hasCode, PolicyError } from '../../errors/index.js'
import { askUntilStopped } from '../../runtime/ask-approval.js'
import type { ToolContext } from '../../types/tool.js'
import type { Access, Workspace } from '../../types/workspace.js'
import { ToolFailed } from './tool-failure.js'
import type { ZeroclawOptions } from './types.js'

/** The parts of a call that the policy needs for its decision. */
interface Asked {
  readonly tool: string
  readonly input: unknown
}

/** Applies the security policy to the tools. Every denial is an error with a reason. */
export class Guard {
  readonly #options: ZeroclawOptions
  readonly #given: SecurityPolicy | undefined
  /** Policies created from the options, one per workspace root, because paths in commands are relative to the root. */
  readonly #made = new Map<string | undefined, SecurityPolicy>()

  /** @throws TypeError or RangeError for invalid security options */
  constructor(options: ZeroclawOptions) {
    this.#options = options
    this.#given = isPolicy(options.security) ? options.security : undefined
    this.policy()
  }

  /** Whether there is an approver. */
  get asks(): boolean {
    return this.#options.approve !== undefined
  }

  /** Returns the policy for a workspace with this root. */
  policy(root?: string): SecurityPolicy {
    if (this.#given) return this.#given
    const options: SecurityPolicyOptions = (this.#options.security as SecurityPolicyOptions | undefined) ?? {}
    const at = options.workspaceRoot ?? root
    const made = this.#made.get(at) ?? createSecurityPolicy({ ...options, ...(at !== undefined && { workspaceRoot: at }) })
    this.#made.set(at, made)
    return made
  }

  /** Whether the manifest contains the tool. */
  offers(tool: string): boolean {
    return this.policy().checkTool(tool).action !== 'deny'
  }

  /**
   * Checks whether a tool may run, and asks for approval if needed. @throws PolicyError approval_required, if the approval was not given;
   * tool_excluded
   */
  async admitTool({ tool, input }: Asked, context: ToolContext): Promise<void> {
    const { action, reason = 'a rule of the host' } = this.policy(context.workspace.root).checkTool(tool)
    if (action === 'allow') return
    if (action === 'ask' && (await this.#ask({ tool, input }, context, reason))) return
    throw new PolicyError(
      action === 'ask' ? 'approval_required' : 'tool_excluded',
      `Tool blocked by security policy: ${reason}`,
      'tools',
      reason,
    )
  }

  /** Checks a command. `approved`: the field of the call's input. @throws PolicyError command_blocked, approval_required */
  async admitCommand(command: string, approved: boolean, asked: Asked, context: ToolContext): Promise<void> {
    const policy = this.policy(context.workspace.root)
    const cwd = inPolicy(policy, context.workspace, context.workspace.cwd)
    const first = policy.checkCommand(command, { approved: approved && !this.asks, cwd })
    if (first.allowed) return
    const { reason = 'a rule of the host' } = first
    if (!first.needsApproval) throw blocked('command_blocked', reason)
    if (!this.asks) throw blocked('approval_required', `${reason} (approved=true)`)
    if (!(await this.#ask({ ...asked, command }, context, reason))) throw blocked('approval_required', reason)
    const second = policy.checkCommand(command, { approved: true, cwd })
    if (!second.allowed) throw blocked('command_blocked', second.reason ?? reason)
  }

  /** Returns the path with every link resolved. @throws ToolFailed with the policy's reason; errors of the workspace */
  async admitPath(path: string, access: Access, { workspace }: ToolContext): Promise<string> {
    const policy = this.policy(workspace.root)
    // First check the path as written, so that a rejected path is not looked up. Then check the resolved path.
    checkPath(policy, relativeText(workspace, path), access)
    const real = await workspace.realpath(path)
    checkPath(policy, workspace.relative(real) || '.', access)
    return real
  }

  /**
   * Runs a write as one action of the rate limit, under the lock of its path.
   * @throws ToolFailed if the policy forbids writing, or if the path is a link; PolicyError rate_limited
   */
  async writing<T>(path: string, context: ToolContext, body: (context: ToolContext) => Promise<T>): Promise<T> {
    if (this.policy(context.workspace.root).settings.autonomy === 'readonly') {
      throw new ToolFailed('Action blocked: autonomy is read-only', { code: 'EACCES' })
    }
    await this.admitPath(path, 'write', context)
    const action = this.reserve(context)
    try {
      const done = await context.workspace.locked([path], async (workspace) => {
        context.signal.throwIfAborted()
        if (await isLink(workspace, path)) {
          throw new ToolFailed(`Refusing to write through symlink: ${workspace.resolve(path)}`, { code: 'EACCES' })
        }
        return body({ ...context, workspace })
      })
      action.commit()
      return done
    } finally {
      action.cancel()
    }
  }

  /** Counts one action against the sender's hourly limit. The caller commits or cancels it. @throws PolicyError rate_limited */
  reserve({ workspace, host }: ToolContext): Reservation {
    const reservation = this.policy(workspace.root).reserve(this.#options.sender, host.now())
    if (reservation.granted) return reservation
    throw new PolicyError('rate_limited', reservation.reason, 'rate')
  }

  #ask(asked: Asked & { readonly command?: string }, { callId, signal }: ToolContext, reason: string): Promise<boolean> {
    return askUntilStopped(this.#options.approve, { callId, ...asked, signal, reason })
  }
}

async function isLink(workspace: Workspace, path: string): Promise<boolean> {
  try {
    return (await workspace.lstat(path)).kind === 'symlink'
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

function isPolicy(security: ZeroclawOptions['security']): security is SecurityPolicy {
  return security !== undefined && 'checkCommand' in security
}

function blocked(code: 'command_blocked' | 'approval_required', reason: string): PolicyError {
  return new PolicyError(code, `Command blocked by security policy: ${reason}`, 'commands', reason)
}

function checkPath(policy: SecurityPolicy, text: string, access: Access): void {
  const { allowed, reason = 'a rule of the host' } = policy.checkPath(text, access)
  if (!allowed) throw new ToolFailed(`Path not allowed by security policy: ${reason}`, { code: 'EACCES' })
}

/** Returns a path for the policy: inside the workspace relative to the root, because the policy may assume another root. */
function relativeText({ root }: Workspace, path: string): string {
  if (path === root) return '.'
  const below = root === '/' ? '/' : `${root}/`
  return path.startsWith(below) ? path.slice(below.length) : path
}

function inPolicy({ settings }: SecurityPolicy, workspace: Workspace, path: string): string {
  const relative = workspace.relative(path)
  return relative === '' ? settings.workspaceRoot : `${settings.workspaceRoot === '/' ? '' : settings.workspaceRoot}/${relative}`
}
