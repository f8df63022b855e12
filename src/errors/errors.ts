import { visibleName } from './visible-name.js'

/** The workspace rejects a path, or the file at the path is not text. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError'
  readonly code: 'path_outside_workspace' | 'invalid_path' | 'symlink_escape' | 'binary_file'
  /** The input path, or a virtual path. */
  readonly path: string
  /** For `binary_file`: the media type by the first bytes (`image/png`), otherwise `application/octet-stream`. */
  readonly detected?: string

  constructor(code: WorkspaceError['code'], path: string, message: string, detected?: string) {
    super(visibleName(message))
    this.code = code
    this.path = path
    if (detected !== undefined) this.detected = detected
  }
}

/** The input of a call is invalid, or does not match the file. `issues` lists every problem. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly code: 'invalid_input' | 'ambiguous_match' | 'no_match'
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  /** Machine-readable details, such as `candidates` and `nearest`. The failure of the call contains a copy. */
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

/** The shell cannot start or continue a command. A command that fails is a result, not an error. */
export class ShellError extends Error {
  override readonly name = 'ShellError'
  readonly code: 'unavailable' | 'spawn_failed' | 'not_running' | 'unknown_session' | 'too_many_sessions' | 'input_full'

  constructor(code: ShellError['code'], message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** The JavaScript engine cannot start or continue a program. A program that fails is a result, not an error. */
export class JsError extends Error {
  override readonly name = 'JsError'
  readonly code: 'unavailable' | 'spawn_failed' | 'not_running' | 'unknown_session' | 'out_of_memory'

  constructor(code: JsError['code'], message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** A request failed, its origin is blocked or its response is too large. */
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

/** A rule of the host forbids the call. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
  readonly code: 'command_blocked' | 'approval_required' | 'rate_limited' | 'tool_excluded' | 'read_only'
  /** The rule that decided, as the host configured it. */
  readonly rule: string
  readonly reason?: string

  constructor(code: PolicyError['code'], message: string, rule: string, reason?: string) {
    super(message)
    this.code = code
    this.rule = rule
    if (reason !== undefined) this.reason = reason
  }
}

/** A port is missing, or its adapter lacks a capability. */
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

/** A setup mistake, such as a duplicate tool. Registration throws it; it never becomes a tool's result. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly code: 'duplicate_tool' | 'invalid_tool_name' | 'unsupported_schema'

  constructor(code: RegistryError['code'], message: string) {
    super(message)
    this.code = code
  }
}
