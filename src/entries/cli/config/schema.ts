import * as z from 'zod/mini'
import { SEARCH_PATHS } from '../../../tools/web/providers/provider.js'
import { ENGINES, PRESET_NAMES, SHELLS } from '../names.js'
import type { Config } from './config.js'

const MAX = Number.MAX_SAFE_INTEGER

const text = () => z.string().check(z.minLength(1))
const texts = () => z.array(text())
const flag = () => z.boolean()
const whole = (least = 1, most = MAX) => z.int().check(z.minimum(least), z.maximum(most))

/** Optional, all of them, and no others. */
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.partial(z.strictObject(shape))

/** Of a value, or of what it has at a key. The message names the kind, as for all the others. */
const need =
  (kind: string, fits: (value: unknown) => boolean, ...key: readonly string[]) =>
  ({ value, issues }: z.core.ParsePayload): void => {
    const inner = key.reduce<unknown>((outer, name) => Reflect.get(Object(outer), name), value)
    if (value !== undefined && !fits(inner)) issues.push({ code: 'invalid_type', expected: kind as 'any', input: inner, path: [...key] })
  }

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isText = (value: unknown): boolean => typeof value === 'string'
const code = () => z.any().check(need('function', isFunction))
const tool = () => z.any().check(need('string', isText, 'name'), need('function', isFunction, 'run'))
const FETCHER = 'an adapter such as createFetch() of toolport/adapters/fetch makes'
const fetcher = () => z.any().check(need(FETCHER, (value) => isFunction(Reflect.get(Object(value), 'fetch'))))

const paths = () => z.union([text(), texts().check(z.minLength(1))])
const action = () => z.enum(['allow', 'deny', 'ask'])

const commands = () =>
  object({
    autonomy: z.enum(['readonly', 'supervised', 'full']),
    workspaceOnly: flag(),
    allowedCommands: texts(),
    forbiddenPaths: texts(),
    allowedRoots: z.array(
      z.union([text(), z.strictObject({ path: text(), access: z.optional(z.enum(['read-write', 'read-only', 'write-only'])) })]),
    ),
    requireApprovalForMediumRisk: flag(),
    blockHighRiskCommands: flag(),
  })

const policy = () =>
  object({
    tools: z.array(z.strictObject({ tools: paths(), action: action(), reason: z.optional(text()) })),
    paths: z.array(
      z.strictObject({
        paths: paths(),
        access: z.optional(z.enum(['read', 'write'])),
        action: action(),
        reason: z.optional(text()),
      }),
    ),
    commands: z.union([commands(), code()]),
    rate: z.strictObject({ calls: whole(0), perMs: whole() }),
  })

const LONGEST_MS = 2 ** 31 - 1

const limits = () =>
  object({
    deadlineMs: whole(1, LONGEST_MS),
    graceMs: whole(0, LONGEST_MS),
    outputBytes: whole(),
    grepFileBytes: whole(),
    shellStreamBytes: whole(),
  })

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

const mcp = () =>
  object({
    name: text(),
    instructions: z.string(),
    pageSize: whole(),
    resources: flag(),
    maxResourceBytes: whole(),
    logLevel: z.enum(LEVELS),
  })

const webSearch = () =>
  z.strictObject({
    provider: z.enum(Object.keys(SEARCH_PATHS)),
    baseUrl: text(),
    headers: z.optional(z.union([z.record(z.string(), z.string()), code()])),
  })

/** Everything may be left out. What is wrong with an address, a path rule or the name of a tool is found where it is used. */
export const configSchema: z.ZodMiniType<Config> = object({
  root: text(),
  memory: flag(),
  seed: text(),
  readOnly: flag(),
  shell: z.enum(SHELLS),
  js: z.enum(ENGINES),
  registry: text(),
  preset: z.enum(PRESET_NAMES),
  webSearch: webSearch(),
  policy: policy(),
  limits: limits(),
  quotas: object({ bytes: whole(), files: whole(), fileBytes: whole() }),
  mcp: mcp(),
  tools: z.array(tool()),
  approve: code(),
  hooks: object({ checkpoint: code(), onEvent: code() }),
  fetch: fetcher(),
}) as unknown as z.ZodMiniType<Config>
