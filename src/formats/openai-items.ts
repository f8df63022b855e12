import { isRecord } from '../ops/is-record.js'
import type { ToolResult } from '../types/tool.js'
import { type CallRequest, imagesOf, parseArguments, textOf, toModelText, urlOf } from './call-requests.js'
import type { UnansweredItem } from './call-results.js'
import { runApplyPatch, runLocalShell, runShell, type ShellAnswer } from './openai-calls.js'

type Fields = Readonly<Record<string, unknown>>

/** Of a command without output. */
const SILENT: ShellAnswer['output'][number] = { stdout: '', stderr: '', outcome: { type: 'exit', exit_code: 0 } }

/** An item of a response of the Responses API that asks for an answer, and the item that answers it. */
export interface Item {
  readonly call: CallRequest
  answer(result: ToolResult): Fields
}

const KINDS: Readonly<Record<string, (item: Fields, id: string) => Item>> = {
  function_call: (item, id) => ({
    call: { id, name: textOf(item.name), ...parseArguments(item.arguments) },
    answer: (result) => ({ type: 'function_call_output', call_id: id, output: partsOf(result) }),
  }),
  custom_tool_call: ({ name, input }, id) => ({
    call: { id, name: textOf(name), input },
    answer: (result) => ({ type: 'custom_tool_call_output', call_id: id, output: partsOf(result) }),
  }),
  shell_call: ({ action }, id) => ({
    call: { id, name: 'shell', input: action, run: (runtime, context) => runShell(runtime, action, context) },
    answer: (result) => ({ type: 'shell_call_output', call_id: id, ...shellAnswer(result) }),
  }),
  local_shell_call: ({ action }, id) => ({
    call: { id, name: 'local_shell', input: action, run: (runtime, context) => runLocalShell(runtime, action, context) },
    answer: (result) => ({ type: 'local_shell_call_output', id, output: JSON.stringify(shellAnswer(result).output[0] ?? SILENT) }),
  }),
  apply_patch_call: ({ operation }, id) => ({
    call: { id, name: 'apply_patch', input: operation, run: (runtime, context) => runApplyPatch(runtime, operation, context) },
    answer: (result) => ({
      type: 'apply_patch_call_output',
      call_id: id,
      status: result.ok ? 'completed' : 'failed',
      output: toModelText(result),
    }),
  }),
}

/** What has to be answered, and what of it no call of a tool answers. What the provider has carried out itself is neither. */
export function itemsOf(output: readonly Fields[]): { readonly items: readonly Item[]; readonly unanswered: readonly UnansweredItem[] } {
  const answered = new Set(output.filter(({ type }) => textOf(type).endsWith('_output')).flatMap(({ call_id, id }) => [call_id, id]))
  const open = output.filter((item) => !isHosted(item) && !(answered.has(item.call_id) && item.call_id !== undefined))
  const items = open.flatMap((item) => (isKnown(item) ? [item] : [])).map(itemOf)
  const unanswered = open.filter((item) => !isKnown(item) && asksProgram(item))
  return { items, unanswered: unanswered.map(({ type, call_id, id }) => ({ type: textOf(type), id: textOf(call_id) || textOf(id) })) }
}

const isKnown = ({ type }: Fields): boolean => Object.hasOwn(KINDS, textOf(type))

function itemOf(item: Fields, index: number): Item {
  const { call, answer } = (KINDS[textOf(item.type)] as (typeof KINDS)[string])(
    item,
    textOf(item.call_id) || textOf(item.id) || String(index),
  )
  // Where a program of the model's has made the call, the answer says so too.
  return { call, answer: (result) => ({ ...answer(result), ...(isRecord(item.caller) && { caller: item.caller }) }) }
}

/** Carried out in a container of the provider, or by its search of tools. */
const isHosted = ({ environment, execution }: Fields): boolean =>
  (isRecord(environment) && textOf(environment.type).startsWith('container')) || execution === 'server'

/** What the provider carries out has no `call_id`. */
const asksProgram = ({ type, call_id }: Fields): boolean =>
  type === 'mcp_approval_request' || (textOf(type).endsWith('_call') && typeof call_id === 'string')

function partsOf(result: ToolResult): unknown {
  const images = imagesOf(result).map((image) => ({ type: 'input_image', image_url: urlOf(image), detail: 'auto' }))
  const text = toModelText(result)
  return images.length === 0 ? text : [{ type: 'input_text', text }, ...images]
}

/** As `runShell` has it; what another answers in its place is all on one stream. */
function shellAnswer(result: ToolResult): ShellAnswer {
  const { output } = result
  if (result.ok && isRecord(output) && Array.isArray(output.output) && output.output.every(isRecord))
    return output as unknown as ShellAnswer
  const text = toModelText(result)
  const outcome = { type: 'exit', exit_code: result.ok ? 0 : 1 } as const
  return { output: [{ stdout: result.ok ? text : '', stderr: result.ok ? '' : text, outcome }] }
}
