import type { SecurityPolicyOptions } from '../../../core/security/index.js'
import type { WebToolsOptions } from '../../../tools/web/index.js'
import type { FetchAdapter } from '../../../types/ports.js'
import type { RuntimeHooks, RuntimePolicy } from '../../../types/runtime.js'
import type { AnyTool, Limits } from '../../../types/tool.js'
import type { Quotas, WorkspacePolicy } from '../../../types/workspace.js'
import type { McpServerOptions } from '../../mcp/server.js'
import type { EngineName, ShellName } from '../names.js'

/** Settings of the security policy that inspects commands by their text. */
export type CommandSettings = Pick<
  SecurityPolicyOptions,
  | 'autonomy'
  | 'workspaceOnly'
  | 'allowedCommands'
  | 'forbiddenPaths'
  | 'allowedRoots'
  | 'requireApprovalForMediumRisk'
  | 'blockHighRiskCommands'
>

export interface ConfigPolicy extends Pick<RuntimePolicy, 'tools' | 'rate'>, Pick<WorkspacePolicy, 'paths'> {
  /** Settings as data, or a function, which requires a `.mjs` file. */
  readonly commands?: CommandSettings | RuntimePolicy['commands']
}

/** The content of `toolport.config.json` or `toolport.config.mjs`, with absolute paths. */
export interface Config {
  readonly root?: string
  readonly memory?: boolean
  readonly seed?: string
  readonly readOnly?: boolean
  readonly shell?: ShellName
  readonly js?: EngineName
  readonly registry?: string
  readonly preset?: string
  readonly webSearch?: WebToolsOptions
  readonly policy?: ConfigPolicy
  readonly limits?: Partial<Limits>
  readonly markData?: boolean
  readonly quotas?: Quotas
  readonly mcp?: Pick<
    McpServerOptions,
    'name' | 'instructions' | 'pageSize' | 'resources' | 'maxResourceBytes' | 'logLevel' | 'structuredContent' | 'compact' | 'tools'
  >
  /** Additional tools, besides the preset's. This and the following keys require a `.mjs` file. */
  readonly tools?: readonly AnyTool[]
  readonly approve?: RuntimePolicy['approve']
  readonly hooks?: RuntimeHooks
  readonly fetch?: FetchAdapter
}

/** Keys whose values are paths, relative to the file. */
export const PATH_KEYS: readonly ('root' | 'seed')[] = ['root', 'seed']

/** Keys whose values are or contain functions. */
export const CODE_KEYS: readonly (keyof Config)[] = ['tools', 'approve', 'hooks', 'fetch']
