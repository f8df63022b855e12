import { visibleName } from './visible-name.js'

/** The path itself is refused, or what it leads to cannot be handled as text. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError'
  readonly code: 'path_outside_workspace' | 'invalid_path' | 'symlink_escape' | 'binary_file'
  /** As it was given, or virtual. */
  readonly path: string
  /** `binary_file`: the type its first bytes show (`image/png`), else `application/octet-stream`. */
  readonly detected?: string

  constructor(code: WorkspaceError['code'], path: string, message: string, detected?: string) {
    super(visibleName(message))
    this.code = code
    this.path = path
    if (detected !== undefined) this.detected = detected
  }
}

/** The call's input cannot be used as it is. `issues` names every place. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly code: 'invalid_input' | 'ambiguous_match' | 'no_match'
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  /** Machine-readable particulars, copied into the failure (`candidates`, `nearest`). */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: InputError['code'],
    message: string,
    options: { readonly issues?: InputError['issues']; readonly details?: InputError['details'] } = {},
  ) {
    super(message)
    this.code = code
    this.issues = options.issues ?? []
    this.details = options.details ?? {}
  }
}

export class ShellError extends Error {
  override readonly name = 'ShellError'
  readonly code: 'unavailable' | 'spawn_failed' | 'not_running' | 'unknown_session' | 'too_many_sessions' | 'input_full'

  constructor(code: ShellError['code'], message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

export class JsError extends Error {
  override readonly name = 'JsError'
  readonly code: 'unavailable' | 'spawn_failed' | 'not_running' | 'unknown_session' | 'out_of_memory'

  constructor(code: JsError['code'], message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly code: 'network' | 'http_status' | 'blocked_origin' | 'too_large'
  readonly httpStatus?: number
  readonly retryable: boolean

  constructor(
    code: NetworkError['code'],
    message: string,
    options: { readonly httpStatus?: number; readonly retryable?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
    if (options.httpStatus !== undefined) this.httpStatus = options.httpStatus
  }
}

/** A rule of the host forbids it. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
  readonly code: 'command_blocked' | 'approval_required' | 'rate_limited' | 'tool_excluded' | 'read_only'
  /** The rule that decided, as the host wrote it. */
  readonly rule: string
  readonly reason?: string

  constructor(code: PolicyError['code'], message: string, rule: string, reason?: string) {
    super(message)
    this.code = code
    this.rule = rule
    if (reason !== undefined) this.reason = reason
  }
}

/** A port is missing, or the one that is there cannot do this. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError'
  readonly code = 'unsupported'
  readonly capability: string
  readonly adapter?: string

  constructor(capability: string, message: string, adapter?: string) {
    super(message)
    this.capability = capability
    if (adapter !== undefined) this.adapter = adapter
  }
}

/** A mistake of the program that sets the tools up; thrown at once, never a tool's result. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly code: 'duplicate_tool' | 'invalid_tool_name' | 'unsupported_schema'

  constructor(code: RegistryError['code'], message: string) {
    super(message)
    this.code = code
  }
}
