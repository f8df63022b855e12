// @module-tag runtime
import { expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod/mini'
import { defineTool, reply } from '../../src/core/define-tool.js'
import { createToolRegistry } from '../../src/core/registry.js'
import type { AnyTool, ToolContext } from '../../src/types/tool.js'
import fc from '../fast-check.js'

const tool = (name: string, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: {} },
  run: () => name,
  ...more,
})
const names = (tools: readonly AnyTool[]): string[] => tools.map(({ name }) => name)
const code = (error: string): unknown => expect.objectContaining({ name: 'RegistryError', code: error })

test('registers, finds, lists and removes cap:12 cap:14', () => {
  const registry = createToolRegistry().register(tool('b')).register(tool('a'))
  expect(registry.has('a')).toBe(true)
  expect(registry.get('a')?.description).toBe('Does a')
  expect(names(registry.list())).toEqual(['a', 'b'])
  expect(registry.unregister('a')).toBe(registry)
  expect(registry.unregister('a').has('a')).toBe(false)
  expect(registry.get('a')).toBeUndefined()
  expect(names(registry.list())).toEqual(['b'])
})

test('lists in code-unit order, independent of locale cap:15', () => {
  expect(
    names(
      createToolRegistry()
        .registerMany(['a', 'B', '_', 'Z', 'a.b', 'a-b', '1'].map((name) => tool(name)))
        .list(),
    ),
  ).toEqual([...['1', 'B', 'Z', '_', 'a', 'a-b', 'a.b']])
})

test('rejects a duplicate name cap:13', () => {
  const registry = createToolRegistry().register(tool('a'))
  expect(() => registry.register(tool('a'))).toThrow('tool already registered: a')
  expect(() => registry.register(tool('a'))).toThrow(code('duplicate_tool'))
})

test('registerMany registers all tools or none cap:12 cap:13', () => {
  const registry = createToolRegistry().register(tool('a'))
  const before = registry.getModelManifest()
  expect(() => registry.registerMany([tool('b'), tool('x.y'), tool('a'), tool('c')])).toThrow('tool already registered: a')
  expect(registry.getModelManifest()).toEqual(before)
  expect(registry.has('b')).toBe(false)
  expect(registry.find('b')).toBeUndefined()
  function* broken(): Generator<AnyTool> {
    yield tool('d')
    throw new Error('no more')
  }
  expect(() => registry.registerMany(broken())).toThrow('no more')
  expect(names(registry.list())).toEqual(['a'])
  expect(names(registry.registerMany([tool('b'), tool('c')]).list())).toEqual(['a', 'b', 'c'])
})

test('rejects invalid names and invalid tools cap:92', () => {
  const registry = createToolRegistry()
  for (const name of ['', 'a b', 'ä', 'a/b', 'a\n', '../a', undefined as never, 5 as never]) {
    expect(() => registry.register(tool(name)), name).toThrow(code('invalid_tool_name'))
  }
  for (const name of ['a', 'A.b:c-d_9', '__proto__', 'constructor', 'x'.repeat(500)]) registry.register(tool(name))
  for (const broken of [undefined, null, 'a', {}, { ...tool('q'), run: undefined }, { ...tool('q'), description: 5 }]) {
    expect(() => registry.register(broken as never)).toThrow(TypeError)
  }
  expect(() => registry.register(tool('q', { inputSchema: { type: 'string' } }))).toThrow('Cannot register "q"')
  expect(() => registry.register(tool('q', { inputSchema: undefined as never }))).toThrow(code('unsupported_schema'))
  expect(() => registry.register(tool('q', { outputSchema: z.object({ when: z.date() }) }))).toThrow(code('unsupported_schema'))
})

test('a renamed tool keeps everything else, including its `this`', () => {
  class Counter {
    readonly name = 'count'
    readonly description = 'Counts'
    readonly inputSchema = { type: 'object' }
    #count = 0
    run(): number {
      return ++this.#count
    }
    toText(): string {
      return `${this.#count} so far`
    }
  }
  const registry = createToolRegistry().register(new Counter()).register(tool('other')).rename('count', 'count.up')
  const renamed = registry.get('count.up')
  expect(renamed).toMatchObject({ name: 'count.up', description: 'Counts' })
  expect(renamed?.run({}, {} as ToolContext)).toBe(1)
  expect(renamed?.toText?.(1)).toBe('1 so far')
  expect(registry.has('count')).toBe(false)
  expect(registry.find('count')).toBeUndefined()
  expect(names(registry.rename('count.up', 'count.up').list())).toEqual(['count.up', 'other'])
  expect(() => registry.rename('count.up', 'other')).toThrow(code('duplicate_tool'))
  expect(() => registry.rename('count.up', 'a b')).toThrow(code('invalid_tool_name'))
  expect(() => registry.rename('missing', 'a')).toThrow('Cannot change tool "missing": it is not registered')
  expect(registry.has('count.up')).toBe(true)
})

test('a disabled tool is in no list or manifest, but still registered', () => {
  const registry = createToolRegistry()
    .registerMany([tool('a'), tool('b')])
    .disable('a', 'not today')
  expect(names(registry.list())).toEqual(['b'])
  expect(registry.getModelManifest().map(({ name }) => name)).toEqual(['b'])
  expect(registry.has('a')).toBe(true)
  expect(registry.find('a')?.disabled).toEqual({ reason: 'not today' })
  expect(() => registry.register(tool('a'))).toThrow(code('duplicate_tool'))
  expect(names(registry.enable('a').list())).toEqual(['a', 'b'])
  expect(registry.find('a')).not.toHaveProperty('disabled')
  expect(() => registry.disable('missing')).toThrow(TypeError)
  expect(() => registry.enable('missing')).toThrow(TypeError)
})

test('the manifest has what models and clients need cap:2 cap:16', () => {
  const read = defineTool({
    name: 'fs.read',
    description: 'Reads a file',
    inputSchema: z.strictObject({ path: z.string(), limit: z._default(z.int(), 10) }),
    outputSchema: z.object({ text: z._default(z.string(), '') }),
    annotations: { readOnlyHint: true },
    run: ({ path }) => ({ text: path }),
  })
  expect(
    createToolRegistry()
      .registerMany([tool('plain'), read])
      .getModelManifest(),
  ).toEqual([
    {
      name: 'fs.read',
      alias: 'fs_read_54e2a4',
      description: 'Reads a file',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, limit: expect.objectContaining({ type: 'integer', default: 10 }) },
        required: ['path'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { text: { type: 'string', default: '' } },
        required: ['text'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    },
    { name: 'plain', alias: 'plain', description: 'Does plain', inputSchema: { type: 'object', properties: {} } },
  ])
})

test('the manifest leaves out tools whose requirements are missing', () => {
  const tools = [tool('plain'), tool('sh', { requires: ['shell'] }), tool('bg', { requires: ['shell', 'shell.spawn'] })]
  const manifest = (registry = createToolRegistry(), ...rest: [ReadonlySet<'shell' | 'shell.spawn'>?]): string[] =>
    registry
      .registerMany(tools)
      .getModelManifest(...rest)
      .map(({ name }) => name)
  expect(manifest()).toEqual(['bg', 'plain', 'sh'])
  expect(manifest(createToolRegistry(), new Set())).toEqual(['plain'])
  expect(manifest(createToolRegistry({ available: new Set(['shell']) }))).toEqual(['plain', 'sh'])
  expect(manifest(createToolRegistry({ available: new Set() }), new Set(['shell', 'shell.spawn']))).toEqual(['bg', 'plain', 'sh'])
})

test('a taken alias is replaced by another, and stays when tools come and go', () => {
  const registry = createToolRegistry().register(tool('a.b'))
  const alias = registry.getModelManifest()[0]?.alias ?? ''
  expect(alias).toMatch(/^a_b_[0-9a-f]{6}$/)
  registry.register(tool('a_b')).register(tool('a:b'))
  expect(registry.find('a.b')?.alias).toBe(alias)
  expect(registry.find(alias)?.name).toBe('a.b')
  expect(() => registry.register(tool(alias)), 'a name that is an alias already').toThrow(code('duplicate_tool'))
  const reverse = createToolRegistry().register(tool(alias)).register(tool('a.b'))
  expect(reverse.find('a.b')?.alias).not.toBe(alias)
  expect(reverse.find(alias)?.name).toBe(alias)
})

test('property: aliases are valid, unique and resolve to their names cap:16 cap:48', () => {
  const name = fc.stringMatching(/^[a-zA-Z0-9_.:-]{1,90}$/)
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 40 }), (wanted) => {
      const registry = createToolRegistry().registerMany(wanted.map((one) => tool(one)))
      const manifest = registry.getModelManifest()
      expect(new Set(manifest.map(({ alias }) => alias)).size).toBe(wanted.length)
      for (const { name, alias } of manifest) {
        expect(alias).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        expect(registry.resolveAlias(alias)).toBe(name)
        expect(registry.find(alias)?.name).toBe(name)
        if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) expect(alias).toBe(name)
      }
    }),
  )
})

test('defineTool infers the input type cap:1', () => {
  const typed = defineTool({
    name: 'typed',
    description: 'x',
    inputSchema: z.strictObject({ path: z.string(), limit: z._default(z.int(), 10) }),
    run(input) {
      expectTypeOf(input).toEqualTypeOf<{ path: string; limit: number }>()
      return { path: input.path }
    },
    toText: (output) => output.path,
  })
  expectTypeOf(typed.run).parameter(0).toEqualTypeOf<{ path: string; limit: number }>()
  const plain = defineTool({
    name: 'plain',
    description: 'x',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    run(input) {
      expectTypeOf(input).toEqualTypeOf<{ readonly [key: string]: unknown }>()
      return reply({ path: input.path }, [{ type: 'text', text: 'x' }])
    },
  })
  expect(names(createToolRegistry().registerMany([typed, plain]).list())).toEqual(['plain', 'typed'])
})
