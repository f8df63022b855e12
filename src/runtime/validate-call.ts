import { lazy } from '../core/lazy.js'
import { type Answered, failure } from '../core/result.js'
import type { Validation, Validator } from '../core/schema.js'
import type { RegisteredTool } from '../core/tool-registry.js'
import type { Preset } from '../types/preset.js'
import type { InputIssue, ToolError } from '../types/tool.js'
import type { CallScope } from './call-scope.js'

/** Loads on first use: most input is valid, and most presets do not repair it. */
const repairs = lazy(() => import('../core/lenient.js'))

type Invalid = Extract<Validation, { readonly ok: false }>

/**
 * Validates the input and converts it to the form that the tool expects. Returns a promise if the schema does. @throws errors of the schema
 */
export function validateCall(
  { validator }: RegisteredTool,
  input: unknown,
  mode: Preset['validation'],
  scope: CallScope,
): Validation | Promise<Validation> {
  const checked = validator.validate(input)
  if (checked instanceof Promise) return checkLate(validator, input, mode, scope, checked)
  if (checked.ok || checked.excess || mode === 'strict') return checked
  return checkLate(validator, input, mode, scope, checked)
}

async function checkLate(
  validator: Validator,
  input: unknown,
  mode: Preset['validation'],
  scope: CallScope,
  first: Validation | Promise<Validation>,
): Promise<Validation> {
  const checked = await scope.within(first)
  if (checked.ok || checked.excess || mode === 'strict') return checked
  const { repairInput } = await repairs()
  const again = await scope.within(validator.validate(repairInput(input, validator.jsonSchema())))
  // Report the issues of the original input, not those of the repaired input.
  return again.ok ? again : checked
}

/** Creates the result for invalid input, with every issue. */
export function invalidInput({ issues, hint }: Invalid, call: Answered): ToolError {
  const [first] = issues
  const what = issues.length === 1 && first ? sentence(first) : `the input has ${issues.length} problems`
  return failure('invalid_input', `Cannot call "${call.tool}": ${what}`, call, { issues, ...(hint !== undefined && { hint }) })
}

function sentence({ path, message }: InputIssue): string {
  return `${path === '' ? 'the input' : path}${message.startsWith('is ') ? '' : ':'} ${message}`
}
