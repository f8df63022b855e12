import { type Attributes, context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { shorten } from '../core/field-path.js'
import { required } from '../errors/required.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { RuntimeEvent } from '../types/runtime.js'

/** Options of `traceToolCalls`. */
export interface TraceToolCallsOptions {
  /** The tracer that creates the spans. Default: `trace.getTracer('toolport')` of the globally registered provider. */
  readonly tracer?: Tracer
  /**
   * Whether to add the arguments and the result of each call as JSON (`gen_ai.tool.call.arguments`, `gen_ai.tool.call.result`). These
   * contain file contents, commands and whatever else the model sends. Default false.
   */
  readonly recordContents?: boolean
}

/** Maximum characters of a tool name in a span. Models may send names of any length. */
const LONGEST_NAME = 200

type Started = Extract<RuntimeEvent, { readonly type: 'call_start' }>
type Ended = Extract<RuntimeEvent, { readonly type: 'call_end' }>

/**
 * Reports every tool call of a runtime as an OpenTelemetry span, by the semantic conventions for generative AI: `execute_tool <name>`. A
 * span is a child of the span that is active when the call starts; the span of a nested call is a child of the outer call's. A failed call
 * sets `error.type` to its code. Needs the optional peer `@opentelemetry/api`.
 *
 * @returns a function that stops the tracing and ends the spans of running calls
 * @throws TypeError without a runtime
 */
export function traceToolCalls(runtime: ToolRuntime, options: TraceToolCallsOptions = {}): () => void {
  required('traceToolCalls', 'a ToolRuntime', runtime, 'getModelManifest')
  const { tracer = trace.getTracer('toolport'), recordContents = false } = options
  const calls = new Calls(tracer, runtime, recordContents)
  const off = runtime.on((event) => {
    if (event.type === 'call_start') calls.start(event)
    if (event.type === 'call_end') calls.end(event)
  })
  return () => {
    off()
    calls.endAll()
  }
}

/** The spans of running calls, by the ids of the calls. Several running calls may have the same id. */
class Calls {
  readonly #tracer: Tracer
  readonly #runtime: ToolRuntime
  readonly #recordContents: boolean
  readonly #running = new Map<string, Span[]>()

  constructor(tracer: Tracer, runtime: ToolRuntime, recordContents: boolean) {
    this.#tracer = tracer
    this.#runtime = runtime
    this.#recordContents = recordContents
  }

  start({ callId, call, parentId }: Started): void {
    const tool = this.#runtime.registry.find(call.name)?.name ?? shorten(call.name, LONGEST_NAME)
    const attributes: Attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
      ...(this.#recordContents && { 'gen_ai.tool.call.arguments': jsonOf(call.input) }),
    }
    const parent = parentId === undefined ? undefined : this.#running.get(parentId)?.at(-1)
    const around = parent ? trace.setSpan(context.active(), parent) : context.active()
    const span = this.#tracer.startSpan(`execute_tool ${tool}`, { kind: SpanKind.INTERNAL, attributes }, around)
    this.#running.set(callId, [...(this.#running.get(callId) ?? []), span])
  }

  end({ callId, result }: Ended): void {
    const spans = this.#running.get(callId) ?? []
    const span = spans.pop()
    if (spans.length === 0) this.#running.delete(callId)
    if (!span) return
    if (this.#recordContents) span.setAttribute('gen_ai.tool.call.result', jsonOf(result.output))
    if (!result.ok) {
      span.setAttribute('error.type', result.output.code)
      span.setStatus({ code: SpanStatusCode.ERROR, ...(this.#recordContents && { message: result.error }) })
    }
    span.end()
  }

  endAll(): void {
    for (const span of [...this.#running.values()].flat()) span.end()
    this.#running.clear()
  }
}

/** Converts a value to JSON; empty for a value that JSON cannot represent, which a program may pass. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
