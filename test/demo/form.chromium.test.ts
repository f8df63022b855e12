// @module-tag playground
import { createRuntime, defineTool } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, test } from 'vitest'
import { type Shape, shapeOf } from '../../demo/src/form/schema.js'
import { createToolForm } from '../../demo/src/form/tool-form.js'

const noPaths = (): readonly string[] => []
const string = { type: 'string' }

const SCHEMA = {
  type: 'object',
  $defs: { span: { type: 'object', properties: { from: { type: 'integer' }, to: { type: 'integer' } } } },
  properties: {
    path: string,
    content: string,
    limit: { type: 'integer', minimum: 1, maximum: 10, default: 5 },
    mode: { enum: ['slice', 'block'], default: 'slice' },
    header: { type: 'boolean', default: true },
    deep: { type: 'boolean', default: false },
    pattern: { anyOf: [string, { type: 'array', items: string }] },
    span: { $ref: '#/$defs/span' },
    edits: { type: 'array', items: { type: 'object', properties: { old: string, all: { type: 'boolean' } }, required: ['old'] } },
    anything: { type: 'object' },
  },
  required: ['path', 'content'],
}

describe('the form shape of a schema', () => {
  const kinds: readonly [name: string, schema: unknown, shape: Shape][] = [
    ['references', { $ref: '#/$defs/a', $defs: { a: { type: 'boolean' } } }, { kind: 'boolean' }],
    ['a reference to a missing definition', { $ref: '#/$defs/missing' }, { kind: 'json' }],
    ['a nullable value', { anyOf: [{ type: 'number' }, { type: 'null' }] }, { kind: 'number', integer: false }],
    ['constants', { oneOf: [{ const: 'a' }, { const: 'b' }] }, { kind: 'choice', options: ['a', 'b'] }],
    ['bounds of all safe integers', { type: 'integer', maximum: Number.MAX_SAFE_INTEGER }, { kind: 'number', integer: true }],
    ['a union without a form', { anyOf: [{ type: 'number' }, { type: 'boolean' }] }, { kind: 'json' }],
    ['a list of numbers', { type: 'array', items: { type: 'number' } }, { kind: 'list', item: { kind: 'number', integer: false } }],
  ]
  test.each(kinds)('%s', (_, schema, shape) => {
    expect(shapeOf(schema)).toEqual(shape)
  })

  test('the form shape of a recursive schema ends', () => {
    const list: Record<string, unknown> = { type: 'object', properties: { next: { $ref: '#' } } }
    expect(JSON.stringify(shapeOf(list))).toContain('json')
  })
})

describe('a tool form', () => {
  test('omits unset fields, except a required empty text', () => {
    expect(createToolForm(SCHEMA, noPaths).read()).toEqual({ content: '' })
  })

  test('returns the values it is filled with', () => {
    const input = {
      path: 'a.ts',
      content: 'one\ntwo\n',
      limit: 3,
      mode: 'block',
      header: false,
      deep: true,
      pattern: ['*.ts', '*.js'],
      span: { from: 1 },
      edits: [{ old: 'x' }, { old: 'y', all: true }],
      anything: { any: [1, null] },
    }
    const form = createToolForm(SCHEMA, noPaths)
    form.fill(input)
    expect(form.read()).toEqual(input)
    form.fill({ path: 'b.ts', content: '', pattern: '*.md' })
    expect(form.read()).toEqual({ path: 'b.ts', content: '', pattern: '*.md' })
  })

  test('omits a value that equals the default', () => {
    const form = createToolForm(SCHEMA, noPaths)
    form.fill({ path: 'a', content: 'b', mode: 'slice', header: true, deep: false })
    expect(form.read()).toEqual({ path: 'a', content: 'b' })
  })

  test('shows issues at their fields and returns the others', () => {
    const form = createToolForm(SCHEMA, noPaths)
    document.body.append(form.element)
    form.fill({ edits: [{ old: 'a' }, { old: 'b' }] })
    const rest = form.showIssues([
      { path: 'edits[1].old', message: 'Not there' },
      { path: 'edits[0].unknown', message: 'is not known' },
      { path: 'elsewhere', message: 'not here' },
      { path: '', message: 'All wrong' },
    ])
    expect(rest).toEqual(['“elsewhere”: not here.', 'All wrong.'])
    const shown = [...form.element.querySelectorAll('.field-problem')].filter((element) => element.textContent !== '')
    expect(shown.map((element) => element.textContent)).toEqual(['“edits[0].unknown” is not known.', 'Not there.'])
    expect(form.showIssues([])).toEqual([])
    expect(form.element.querySelectorAll('.field-problem:not([hidden])')).toHaveLength(0)
    form.element.remove()
  })

  /** The messages that the form shows for input that the runtime rejects: those at fields, and then all others. */
  async function saidOf(properties: Record<string, unknown>, required: string[], input: object): Promise<string[]> {
    const inputSchema = { type: 'object', properties, required, additionalProperties: false } as const
    const tool = defineTool({ name: 'all', description: 'Has fields of every kind.', inputSchema, run: () => 'done' })
    const result = await createRuntime({ fs: createMemoryFs(), tools: [tool] }).execute({ id: '1', name: 'all', input })
    const form = createToolForm(inputSchema, noPaths)
    form.fill(input)
    const rest = form.showIssues(result.ok ? [] : (result.output.issues ?? []))
    return [...[...form.element.querySelectorAll('.field-problem:not([hidden])')].map(({ textContent }) => textContent), ...rest]
  }

  test('asks in a sentence for each missing field of any kind', async () => {
    const properties = {
      path: string,
      limit: { type: 'integer' },
      share: { type: 'number' },
      mode: { enum: ['slice', 'block'] },
      pattern: { anyOf: [string, { type: 'array', items: string }] },
      edits: { type: 'array', items: { type: 'object', properties: { old: string }, required: ['old'] } },
      span: { type: 'object', properties: { from: { type: 'integer' } } },
      anything: { type: 'object' },
    }
    expect(await saidOf(properties, Object.keys(properties), {})).toEqual([
      'Give the path.',
      'Give a whole number for limit.',
      'Give a number for share.',
      'Choose the mode.',
      'Add something to pattern.',
      'Add something to edits.',
      'Fill in span.',
      'Give anything as JSON.',
    ])
    expect(await saidOf({ edits: properties.edits }, [], { edits: [{}] })).toEqual(['Give the old.'])
    expect(await saidOf({ path: { ...string, minLength: 1 } }, ['path'], { path: '' })).toEqual(['Give the path.'])
  })

  test('explains in a sentence what a value must be', async () => {
    const properties = {
      limit: { type: 'integer', maximum: 10 },
      size: { type: 'integer' },
      mode: { enum: ['slice', 'block'] },
      query: { ...string, minLength: 3 },
      edits: { type: 'array', items: { type: 'object' }, minItems: 2 },
      path: string,
    }
    const input = { limit: 99, size: 1.5, mode: 'all', query: 'a', edits: [{}], path: [], unknown: 1 }
    expect(await saidOf(properties, [], input)).toEqual([
      'The limit must be at most 10, not 99.',
      'The size must be a whole number, not 1.5.',
      'The mode must be "slice" or "block", not "all".',
      'The query must have at least 3 characters, not 1.',
      'The edits must have at least 2 items, not 1.',
      'The path must be text, not a list.',
      '“unknown” is not a known field: use "limit", "size", "mode", "query", "edits", "path".',
    ])
  })

  test('keeps a tool’s own sentences', () => {
    const form = createToolForm(SCHEMA, noPaths)
    form.showIssues([
      { path: 'path', message: 'path must be absolute' },
      { path: 'limit', message: 'Ask for less.' },
      { path: 'content', message: 'must be base64' },
    ])
    const shown = [...form.element.querySelectorAll('.field-problem:not([hidden])')].map(({ textContent }) => textContent)
    expect(shown).toEqual(['path must be absolute.', 'The content must be base64.', 'Ask for less.'])
  })

  test('reports values that cannot be sent', () => {
    const form = createToolForm(SCHEMA, noPaths)
    form.fill({ anything: {} })
    const area = [...form.element.querySelectorAll('textarea')].at(-1)
    if (!area) throw new Error('No field for JSON')
    area.value = '{ "a": '
    expect(form.problems()).toEqual([{ path: 'anything', message: 'Write anything as JSON, such as {"key": "value"}.' }])
  })
})
