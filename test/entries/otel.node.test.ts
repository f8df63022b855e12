// @module-tag otel
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, type ContextManager, context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createRuntime, defineTool, fileTools, metaTools, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { traceToolCalls } from 'toolport/otel'
import { afterEach, describe, expect, it } from 'vitest'

const outer = defineTool({
  name: 'outer',
  description: 'Calls read_file',
  inputSchema: { type: 'object', properties: {} },
  run: async (_, context) => (await context.invoke?.('read_file', { path: 'a.txt' }))?.ok ?? null,
})
const wait = defineTool({
  name: 'wait',
  description: 'Waits',
  inputSchema: { type: 'object', properties: {} },
  run: () => new Promise(() => undefined),
})

const SOON = { deadlineMs: 20 }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function setUp(options: { readonly recordContents?: boolean } = {}) {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const tracer = provider.getTracer('test')
  const runtime: ToolRuntime = createRuntime({
    fs: createMemoryFs({ files: { 'a.txt': 'secret\n' } }),
    tools: [...fileTools(), ...metaTools(), outer, wait],
    policy: { tools: [{ tools: 'delete_file', action: 'deny' }] },
  })
  const stop = traceToolCalls(runtime, { tracer, ...options })
  closing.push(() => runtime.dispose())
  return { runtime, tracer, stop, spans: (): ReadableSpan[] => exporter.getFinishedSpans() }
}

describe('traceToolCalls', () => {
  it('reports a call by the OpenTelemetry conventions, without contents', async () => {
    const { runtime, spans } = setUp()
    await runtime.execute({ id: 'call_a', name: 'read_file', input: { path: 'a.txt' } })
    const [span] = spans()
    expect(spans()).toHaveLength(1)
    expect(span).toMatchObject({ name: 'execute_tool read_file', kind: SpanKind.INTERNAL, status: { code: SpanStatusCode.UNSET } })
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read_file',
      'gen_ai.tool.call.id': 'call_a',
      'gen_ai.tool.type': 'function',
    })
  })

  it('sets error.type to the code of a failure', async () => {
    const { runtime, spans } = setUp()
    for (const call of [
      { name: 'read_file', input: { path: 'none' } },
      { name: 'read_file', input: { path: 1 } },
      { name: 'delete_file', input: { path: 'a.txt' } },
      { name: 'wait', input: {} },
      { name: 'n'.repeat(1000), input: {} },
    ])
      await runtime.execute(call, call.name === 'wait' ? SOON : {})
    expect(spans().map(({ attributes, status }) => [attributes['error.type'], status])).toEqual(
      ['ENOENT', 'invalid_input', 'tool_excluded', 'timeout', 'unknown_tool'].map((code) => [code, { code: SpanStatusCode.ERROR }]),
    )
    expect(spans().at(-1)?.name.length).toBeLessThan(250)
  })

  it('records arguments, results and messages on request', async () => {
    const { runtime, spans } = setUp({ recordContents: true })
    await runtime.execute({ name: 'read_file', input: { path: 'a.txt' } })
    await runtime.execute({ name: 'read_file', input: { path: 'none' } })
    await runtime.execute({ name: 'read_file', input: { path: 1n } })
    const [read, missing, odd] = spans()
    expect(read?.attributes['gen_ai.tool.call.arguments']).toBe('{"path":"a.txt"}')
    expect(read?.attributes['gen_ai.tool.call.result']).toContain('secret')
    expect(missing?.status).toMatchObject({ code: SpanStatusCode.ERROR, message: expect.stringContaining('ENOENT') })
    expect(odd?.attributes).toMatchObject({ 'gen_ai.tool.call.arguments': '', 'error.type': 'invalid_input' })
  })

  it('makes a nested call a child of the outer call, which is a child of the active span', async () => {
    const { runtime, tracer, spans } = setUp()
    context.setGlobalContextManager(new AsyncContexts())
    closing.push(() => context.disable())
    const agent = tracer.startSpan('invoke_agent')
    await context.with(trace.setSpan(context.active(), agent), () => runtime.executeAll([{ name: 'outer' }, { name: 'outer' }]))
    agent.end()
    const [inner, first, innerAgain, second, last] = spans()
    expect(spans().map(({ name }) => name)).toEqual([
      'execute_tool read_file',
      'execute_tool outer',
      'execute_tool read_file',
      'execute_tool outer',
      'invoke_agent',
    ])
    expect([inner?.parentSpanContext?.spanId, innerAgain?.parentSpanContext?.spanId]).toEqual([idOf(first), idOf(second)])
    expect([first?.parentSpanContext?.spanId, second?.parentSpanContext?.spanId]).toEqual([idOf(last), idOf(last)])
  })

  it('ends open spans when stopped and reports no later calls', async () => {
    const { runtime, stop, spans } = setUp()
    const running = runtime.execute({ name: 'wait' }, SOON)
    stop()
    expect(spans().map(({ name }) => name)).toEqual(['execute_tool wait'])
    await running
    await runtime.execute({ name: 'read_file', input: { path: 'a.txt' } })
    expect(spans()).toHaveLength(1)
  })

  it('separates calls with the same id, and requires a runtime', async () => {
    const { runtime, spans } = setUp()
    const call = { id: 'same', name: 'read_file', input: { path: 'a.txt' } }
    await Promise.all([runtime.execute(call), runtime.execute(call), runtime.execute({ ...call, name: 'wait' }, SOON)])
    expect(spans()).toHaveLength(3)
    const other = createRuntime({ fs: createMemoryFs(), tools: fileTools() })
    traceToolCalls(other)
    expect(await other.execute({ name: 'write_file', input: { path: 'a', content: '' } })).toMatchObject({ ok: true })
    expect(() => traceToolCalls(undefined as never)).toThrow('traceToolCalls needs a ToolRuntime')
  })
})

const idOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().spanId

/** Like `@opentelemetry/context-async-hooks`. */
class AsyncContexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>()
  active = (): Context => this.#storage.getStore() ?? ROOT_CONTEXT
  with: ContextManager['with'] = (given, run, self, ...args) => this.#storage.run(given, () => run.apply(self as never, args))
  bind: ContextManager['bind'] = (_, target) => target
  enable = (): this => this
  disable = (): this => this
}
