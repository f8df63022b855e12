export { createSecurityPolicy } from './create.js'
export { DEFAULT_ALLOWED_COMMANDS, DEFAULT_FORBIDDEN_PATHS } from './defaults.js'
export type {
  AllowedRoot,
  Autonomy,
  CheckCommandOptions,
  CommandCheck,
  PathCheck,
  RateRefusal,
  Reservation,
  Risk,
  SecurityPolicy,
  SecurityPolicyOptions,
  SecuritySettings,
  ToolCheck,
  ToRuntimePolicyOptions,
} from './types.js'
