import {
  text as anyText,
  anything,
  either,
  type Field,
  whole as integer,
  list,
  object,
  oneOf,
  optional,
  record,
  yes,
} from '../../../core/fields.js'
import { SEARCH_PATHS } from '../../../tools/web/providers/provider.js'
import { ENGINES, PRESET_NAMES, SHELLS } from '../names.js'
import type { Config } from './config.js'

const text = () => anyText(undefined, {}, [(value) => (value === '' ? { code: 'too_small', origin: 'string', minimum: 1 } : undefined)])
const texts = () => list(text())
const flag = () => yes()
const whole = (min = 1, max?: number) => integer(undefined, { min, max: max ?? Number.MAX_SAFE_INTEGER })

/** An object with optional fields. */
const settings = (fields: Readonly<Record<string, Field<unknown>>>) =>
  object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])))

/** Returns a reader for a field whose value, or the value nested at `path`, must satisfy `fits`. */
const need = (expected: string, fits: (value: unknown) => boolean, ...path: readonly string[]): Field<unknown>['read'] => {
  return (value, issues) => {
    const inner = path.reduce<unknown>((outer, name) => Reflect.get(Object(outer), name), value)
    if (value !== undefined && !fits(inner)) issues.push({ code: 'invalid_type', message: '', expected, path })
    return value
  }
}

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isText = (value: unknown): boolean => typeof value === 'string'
const code = () => anything(need('function', isFunction))
const FETCHER = 'an adapter such as createFetch() of toolport/adapters/fetch makes'
const fetcher = () => anything(need(FETCHER, (value) => isFunction(Reflect.get(Object(value), 'fetch'))))
const tool = () => {
  const named = need('string', isText, 'name')
  const runs = need('function', isFunction, 'run')
  return anything((value, issues) => {
    named(value, issues)
    return runs(value, issues)
  })
}

const paths = () => either(text(), list(text(), { min: 1 }))
const action = () => oneOf(['allow', 'deny', 'ask'])

const commands = () =>
  settings({
    autonomy: oneOf(['readonly', 'supervised', 'full']),
    workspaceOnly: flag(),
    allowedCommands: texts(),
    forbiddenPaths: texts(),
    allowedRoots: list(either(text(), object({ path: text(), access: optional(oneOf(['read-write', 'read-only', 'write-only'])) }))),
    requireApprovalForMediumRisk: flag(),
    blockHighRiskCommands: flag(),
  })

const policy = () =>
  settings({
    tools: list(object({ tools: paths(), action: action(), reason: optional(text()) })),
    paths: list(
      object({
        paths: paths(),
        access: optional(oneOf(['read', 'write'])),
        action: action(),
        reason: optional(text()),
      }),
    ),
    commands: either(commands(), code()),
    rate: object({ calls: whole(0), perMs: whole() }),
  })

const LONGEST_MS = 2 ** 31 - 1

const limits = () =>
  settings({
    deadlineMs: whole(1, LONGEST_MS),
    graceMs: whole(0, LONGEST_MS),
    outputBytes: whole(),
    grepFileBytes: whole(),
    shellStreamBytes: whole(),
  })

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

const mcp = () =>
  settings({
    name: text(),
    instructions: anyText(),
    pageSize: whole(),
    resources: flag(),
    maxResourceBytes: whole(),
    logLevel: oneOf(LEVELS),
    structuredContent: flag(),
    compact: flag(),
    tools: texts(),
  })

const webSearch = () =>
  object({
    provider: oneOf(Object.keys(SEARCH_PATHS)),
    baseUrl: text(),
    headers: optional(either(record(anyText(), anyText()), code())),
  })

/**
 * The schema of a configuration file. All settings are optional. Addresses, path rules and tool names are validated where they are used.
 */
export const configSchema: Field<Config> = settings({
  root: text(),
  memory: flag(),
  seed: text(),
  readOnly: flag(),
  shell: oneOf(SHELLS),
  js: oneOf(ENGINES),
  registry: text(),
  preset: oneOf(PRESET_NAMES),
  webSearch: webSearch(),
  policy: policy(),
  limits: limits(),
  markData: flag(),
  quotas: settings({ bytes: whole(), files: whole(), fileBytes: whole() }),
  mcp: mcp(),
  tools: list(tool()),
  approve: code(),
  hooks: settings({ checkpoint: code(), onEvent: code() }),
  fetch: fetcher(),
}) as unknown as Field<Config>
