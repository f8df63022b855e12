import { toModelText as rendered } from '../core/result.js'
import { isRecord } from '../ops/is-record.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { CallContext } from '../types/runtime.js'
import type { ContentPart, ToolResult } from '../types/tool.js'

/** `id`: of the call, as the provider has it. */
export type RequestContext = CallContext & { readonly id: string }

/** A call as the model has written it. */
export interface CallRequest {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** What carries it out where it is no tool of the runtime; what the caller has under its name goes before it. */
  readonly run?: (runtime: ToolRuntime, context: RequestContext) => Promise<ToolResult>
  /** Why it cannot be run: told to the model. */
  readonly problem?: string
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const recordsOf = (value: unknown): readonly Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Models write arguments as text, which need not be JSON. None at all stand for no properties. */
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

/** What all of them show; Gemini has its own list. Others stay a word in the text: one that is refused breaks the conversation. */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']
const GIF = 'image/gif'
type Image = Extract<ContentPart, { readonly type: 'image' }>

export const imagesOf = (result: ToolResult, types: readonly string[] = [...IMAGE_TYPES, GIF]): readonly Image[] =>
  result.ok ? (result.content ?? []).filter((part): part is Image => part.type === 'image' && types.includes(part.mediaType)) : []

/** Half a character is no JSON to them. */
export const toModelText = (result: ToolResult): string => rendered(result).replaceAll(/\p{Surrogate}/gu, '\ufffd')
export const urlOf = ({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string =>
  `data:${mediaType};base64,${data}`
