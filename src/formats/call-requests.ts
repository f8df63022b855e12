import { toModelText as rendered } from '../core/result.js'
import { isRecord } from '../ops/is-record.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { CallContext } from '../types/runtime.js'
import type { ContentPart, ToolResult } from '../types/tool.js'

/** The context of a call. `id` is the provider's id of the call. */
export type RequestContext = CallContext & { readonly id: string }

/** A call from a model response. */
export interface CallRequest {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** Runs a call for which the runtime has no tool. The caller's own handler of this name takes precedence. */
  readonly run?: (runtime: ToolRuntime, context: RequestContext) => Promise<ToolResult>
  /** Why the call cannot run. The model receives this text. */
  readonly problem?: string
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const recordsOf = (value: unknown): readonly Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Parses arguments. Models send arguments as text, which may be invalid JSON. Missing arguments mean an empty object. */
export function parseArguments(text: unknown): Pick<CallRequest, 'input' | 'problem'> {
  if (typeof text !== 'string') return { input: text ?? {} }
  if (text.trim() === '') return { input: {} }
  try {
    return { input: JSON.parse(text) as unknown }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { input: text, problem: `The arguments are not JSON (${reason}): send the complete arguments again` }
  }
}

/**
 * Image types that every provider except Gemini accepts. Gemini has its own list. Other images are only mentioned in the text, because a
 * rejected image makes the conversation unusable.
 */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']
const GIF = 'image/gif'
type Image = Extract<ContentPart, { readonly type: 'image' }>

export const imagesOf = (result: ToolResult, types: readonly string[] = [...IMAGE_TYPES, GIF]): readonly Image[] =>
  result.ok ? (result.content ?? []).filter((part): part is Image => part.type === 'image' && types.includes(part.mediaType)) : []

/** Returns the text of a result for the model. Replaces unpaired surrogates, which providers reject as invalid JSON. */
export const toModelText = (result: ToolResult): string => rendered(result).replaceAll(/\p{Surrogate}/gu, '\ufffd')
export const urlOf = ({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string =>
  `data:${mediaType};base64,${data}`
