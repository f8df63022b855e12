// @module-tag runtime
import { expect, test } from 'vitest'
import { normaliseOutput, toFailure, toModelText } from '../../src/core/result.js'
import {
  ERROR_TABLE,
  FsError,
  InputError,
  JsError,
  NetworkError,
  PolicyError,
  ShellError,
  UnsupportedError,
  WorkspaceError,
} from '../../src/errors/index.js'
import type { ToolResult } from '../../src/types/tool.js'
import fc from '../fast-check.js'

const call = { callId: 'c1', tool: 'edit_file' }

const errors: readonly (readonly [error: Error, output: object])[] = [
  [
    new FsError({ code: 'ENOENT', op: 'read', path: '/workspace/a' }),
    { status: 'error', code: 'ENOENT', op: 'read', path: '/workspace/a', recoverable: true },
  ],
  [new FsError({ code: 'EEXIST', op: 'move', path: '/a', dest: '/b' }), { code: 'EEXIST', path: '/a', dest: '/b' }],
  [new FsError({ code: 'EACCES', op: 'read', path: '/a' }), { status: 'denied', code: 'EACCES', recoverable: false }],
  [new WorkspaceError('path_outside_workspace', '../a', 'No'), { status: 'denied', code: 'path_outside_workspace', path: '../a' }],
  [new WorkspaceError('binary_file', '/a', 'No', 'image/png'), { status: 'invalid_input', code: 'binary_file', detected: 'image/png' }],
  [
    new InputError('ambiguous_match', 'Twice', { issues: [{ path: 'edits[0]', message: 'twice' }], details: { candidates: [3, 9] } }),
    { status: 'invalid_input', code: 'ambiguous_match', issues: [{ path: 'edits[0]', message: 'twice' }], candidates: [3, 9] },
  ],
  [new ShellError('not_running', 'No'), { status: 'error', code: 'not_running' }],
  [new JsError('out_of_memory', 'No'), { status: 'error', code: 'out_of_memory' }],
  [new NetworkError('http_status', 'No', { httpStatus: 503, retryable: true }), { code: 'http_status', httpStatus: 503, retryable: true }],
  [new PolicyError('command_blocked', 'No', 'deny rm', 'too dangerous'), { status: 'denied', rule: 'deny rm', reason: 'too dangerous' }],
  [
    new UnsupportedError('resize', 'No', 'just-bash'),
    { status: 'unsupported', code: 'unsupported', capability: 'resize', adapter: 'just-bash' },
  ],
]

for (const [error, output] of errors) {
  test(`${error.name} ${(error as FsError).code} as a failure`, () => {
    const result = toFailure(error, call)
    expect(result).toMatchObject({ ok: false, error: error.message, output: { callId: 'c1', tool: 'edit_file', ...output } })
    expect(result.output.hint).toBe(ERROR_TABLE[result.output.code]?.hint)
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })
}

test('errors are recognised by name, also from another copy of the package cap:11', () => {
  const foreign = Object.assign(new Error('gone'), { name: 'FsError', code: 'ENOENT', op: 'read', path: '/workspace/a' })
  expect(toFailure(foreign, call).output).toMatchObject({ status: 'error', code: 'ENOENT', path: '/workspace/a' })
  expect(toFailure({ name: 'FsError', code: 'ENOENT', message: 'gone' }, call)).toMatchObject({ error: 'gone', output: { code: 'ENOENT' } })
  for (const code of ['toString', '__proto__', 'nonsense', 5]) {
    expect(toFailure(Object.assign(new Error('x'), { name: 'FsError', code }), call).output.code).toBe('tool_threw')
  }
  expect(toFailure(Object.assign(new Error('x'), { code: 'ENOENT' }), call).output.code, 'an error of Node').toBe('tool_threw')
})

test('other errors keep only their message', () => {
  const result = toFailure(new TypeError('x is not a function', { cause: new Error('secret') }), call)
  expect(result).toEqual({
    ok: false,
    output: { status: 'error', code: 'tool_threw', callId: 'c1', tool: 'edit_file', recoverable: false },
    error: 'x is not a function',
  })
  expect(toFailure('plain text', call).error).toBe('plain text')
  expect(toFailure(42, call).error).toBe('42')
  expect(toFailure(undefined, call).error).toBe('Cannot finish "edit_file": it threw undefined without a message')
  expect(toFailure(null, call).error).toBe('Cannot finish "edit_file": it threw null without a message')
  expect(toFailure(new Error(''), call).error).toContain('without a message')
  expect(toFailure(Symbol('x'), call).error).toContain('symbol')
})

const host = (message: string, more: object): Error => Object.assign(new Error(message), more)
const system: readonly (readonly [what: string, error: unknown, message: string])[] = [
  [
    'a file',
    host("ENOENT: no such file or directory, open '/home/x/secret'", {
      errno: -2,
      code: 'ENOENT',
      syscall: 'open',
      path: '/home/x/secret',
    }),
    'ENOENT: the tool failed with a system error: no such file or directory',
  ],
  [
    'a command',
    host('spawn /home/x/bin ENOENT', { errno: -2, code: 'ENOENT', syscall: 'spawn /home/x/bin' }),
    'ENOENT: the tool failed with a system error',
  ],
  ['only an errno', host("EIO: i/o error, read '/home/x'", { errno: 5, code: 'EIO' }), 'EIO: the tool failed with a system error'],
  ['an invalid code', host('x /home/x', { code: '/home/x', syscall: 'open' }), 'Unknown code: the tool failed with a system error'],
  [
    'an invalid description',
    host("EIO: /home/x, open '/home/x'", { code: 'EIO', syscall: 'open' }),
    'EIO: the tool failed with a system error',
  ],
]

for (const [what, error, message] of system) {
  test(`a system error keeps its code and shows no host path: ${what}`, () => {
    const result = toFailure(error, call)
    expect(result).toMatchObject({ error: message, output: { code: 'tool_threw' } })
    expect(JSON.stringify(result)).not.toContain('/home')
  })
}

test('error numbers of other services are not system errors', () => {
  expect(toFailure(host("Table 'x' does not exist", { errno: 1146, code: 'ER_NO_SUCH_TABLE' }), call).error).toBe(
    "Table 'x' does not exist",
  )
})

test('a detail of the wrong type is left out', () => {
  const odd = { name: 'FsError', code: 'ENOENT', message: 'gone', path: 5, dest: true, op: { a: 1 }, httpStatus: '503', retryable: 'yes' }
  expect(toFailure(odd, call).output).toEqual({ ...toFailure({ name: 'FsError', code: 'ENOENT', message: 'gone' }, call).output })
})

test('an error keeps at most 50 issues', () => {
  const issues = Array.from({ length: 51 }, (_, i) => ({ path: `edits[${i}]`, message: 'is odd' }))
  expect(toFailure(new InputError('invalid_input', 'No', { issues }), call).output).toMatchObject({ issues: issues.slice(0, 50) })
})

test('details cannot replace the fixed fields', () => {
  const details = { status: 'ok', code: 'fine', callId: 'x', tool: 'y', recoverable: 'z', hint: 5, issues: [null], more: 1 }
  const { output } = toFailure(new InputError('no_match', 'No', { details }), call)
  expect(output).toMatchObject({ status: 'invalid_input', code: 'no_match', callId: 'c1', tool: 'edit_file', recoverable: true, more: 1 })
  expect(output).not.toHaveProperty('issues')
})

test('hostile errors become failures without harm', () => {
  const trap = (): never => {
    throw new Error('trap')
  }
  const everything = new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap })
  const { proxy: revoked, revoke } = Proxy.revocable({}, {})
  revoke()
  const cyclic: Record<string, unknown> = { name: 'InputError', code: 'no_match', message: 'x' }
  cyclic.details = cyclic
  cyclic.issues = cyclic
  const hostile = [
    everything,
    revoked,
    cyclic,
    { name: 'FsError', code: 'ENOENT', message: { toString: trap }, path: { toJSON: trap }, op: Symbol('x'), rule: () => 1 },
    { name: { toString: trap }, code: 'ENOENT' },
    { name: 'InputError', code: 'no_match', message: 'x', details: new Map(), issues: [null, { path: 5 }] },
    { name: 'InputError', code: 'no_match', message: 'x', details: everything, issues: revoked },
    Object.defineProperty(new Error('x'), 'message', { get: trap }),
  ]
  for (const error of hostile) {
    const result = toFailure(error, call)
    expect(result.ok).toBe(false)
    expect(result.error).not.toContain('trap')
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  }
})

test('a huge message is cut at 4096 units, at a character', () => {
  expect(toFailure(new Error(`${'a'.repeat(4095)}😀${'b'.repeat(1e6)}`), call).error).toBe(`${'a'.repeat(4095)}…`)
  expect(toFailure(new FsError({ code: 'ENOENT', op: 'read', path: 'x'.repeat(1e6) }), call).output.path).toHaveLength(4097)
})

test('property: anything thrown becomes a JSON failure cap:10 cap:20', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true, withDate: true }), (thrown) => {
      const result = toFailure(thrown, call)
      expect(JSON.parse(JSON.stringify(result))).toEqual(result)
      expect(toModelText(result)).toMatch(/^Error: /)
    }),
  )
})

const texts: readonly (readonly [what: string, result: ToolResult, text: string])[] = [
  ['text unchanged', { ok: true, output: 'a\n"b"' }, 'a\n"b"'],
  ['other output as JSON', { ok: true, output: { a: [1, null], b: undefined } }, '{"a":[1,null]}'],
  ['null', { ok: true, output: null }, 'null'],
  ['content before output', { ok: true, output: { a: 1 }, content: [{ type: 'text', text: 'one' }] }, 'one'],
  [
    'parts on separate lines, images by type',
    {
      ok: true,
      output: 1,
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', mediaType: 'image/png', data: 'AA==' },
        { type: 'text', text: 'two' },
      ],
    },
    'one\n[image/png]\ntwo',
  ],
  ['no parts', { ok: true, output: 1, content: [] }, ''],
  [
    'a failure with its hint',
    toFailure(new FsError({ code: 'EEXIST', op: 'move', path: '/a' }), call),
    'Error: EEXIST: Cannot move "/a": it already exists\nChoose another path, or remove what is there first.',
  ],
  ['a failure without a hint', toFailure(new Error('Broken'), call), 'Error: Broken'],
  [
    'each issue on its own line',
    toFailure(
      new InputError('invalid_input', 'Cannot call "x": the input has 2 problems', {
        issues: [
          { path: 'a[0].b', message: 'is required' },
          { path: '', message: 'is odd' },
        ],
      }),
      call,
    ),
    'Error: Cannot call "x": the input has 2 problems\n- a[0].b: is required\n- is odd',
  ],
  [
    'an issue that the message already contains',
    toFailure(new InputError('invalid_input', 'Cannot call "x": a is required', { issues: [{ path: 'a', message: 'is required' }] }), call),
    'Error: Cannot call "x": a is required',
  ],
]

for (const [what, result, text] of texts) test(`model text: ${what}`, () => expect(toModelText(result)).toBe(text))

test('plain JSON is returned without a copy', () => {
  const output = { list: [1, 'a', null, true, { deep: { x: undefined } }], empty: {} }
  const result = normaliseOutput(output)
  expect(result.ok && result.value).toBe(output)
  const bare = Object.assign(Object.create(null), { a: 1 })
  expect(normaliseOutput(bare)).toMatchObject({ ok: true, value: { a: 1 } })
})

const converted: readonly (readonly [what: string, value: unknown, json: unknown])[] = [
  ['undefined', undefined, null],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['an invalid date', new Date(Number.NaN), null],
  ['a date in a list in a record', { a: [1, new Date(0), 2], b: 3 }, { a: [1, '1970-01-01T00:00:00.000Z', 2], b: 3 }],
  ['toJSON', { toJSON: () => ({ a: Number.NaN }) }, { a: null }],
  ['numbers that JSON does not support', [Number.NaN, Infinity, -Infinity, 1], [null, null, null, 1]],
  ['undefined in a list', [undefined, 1], [null, 1]],
  ['holes', new Array(2), [null, null]],
  [
    'an instance of a class',
    new (class Point {
      x = 1
      y = Number.NaN
      z = undefined
    })(),
    { x: 1, y: null },
  ],
  ['a field called __proto__', JSON.parse('{"__proto__": {"x": 1}, "n": null}'), JSON.parse('{"__proto__": {"x": 1}, "n": null}')],
]

for (const [what, value, json] of converted) {
  test(`output of ${what}`, () => {
    const result = normaliseOutput(value)
    expect(result).toMatchObject({ ok: true })
    expect(result.ok && JSON.stringify(result.value)).toBe(JSON.stringify(json))
  })
}

test('a copied field called __proto__ stays a plain field', () => {
  const copy = normaliseOutput(Object.defineProperty({ when: new Date(0) }, '__proto__', { value: { x: 1 }, enumerable: true }))
  expect(copy.ok && Object.hasOwn(copy.value as object, '__proto__')).toBe(true)
  expect(copy.ok && (copy.value as { x?: number }).x).toBeUndefined()
})

const circle: unknown[] = []
circle.push(circle)
const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

const refused: readonly (readonly [what: string, value: unknown, message: string])[] = [
  ['a map', new Map(), 'The output is of type Map: return JSON'],
  ['a set, deep inside', { a: [{ 'b c': new Set() }] }, 'The output at "a[0]["b c"]" is of type Set: return JSON'],
  ['bytes', { data: new Uint8Array(1) }, 'The output at "data" is of type Uint8Array: return JSON'],
  ['a promise', [Promise.resolve(1)], 'The output at "[0]" is of type Promise: return JSON'],
  ['an error', new Error('x'), 'The output is of type Error: return JSON'],
  ['a function', { f: () => 1 }, 'The output at "f" is a function: return JSON'],
  ['a symbol', [Symbol('x')], 'The output at "[0]" is a symbol: return JSON'],
  ['a bigint', { n: { m: 1n } }, 'The output at "n.m" is a bigint: return JSON'],
]

for (const [what, value, message] of refused)
  test(`output of ${what} is rejected`, () => expect(normaliseOutput(value)).toEqual({ ok: false, message }))

test('cyclic, deep, huge and trapping outputs are rejected', () => {
  expect(normaliseOutput(circle)).toMatchObject({ ok: false, message: expect.stringContaining('contains itself') })
  expect(normaliseOutput(deep(201))).toMatchObject({ ok: true })
  expect(normaliseOutput(deep(202))).toMatchObject({ ok: false, message: expect.stringContaining('200 levels') })
  const endless = { toJSON: (): unknown => ({ ...endless }) }
  expect(normaliseOutput(endless)).toMatchObject({ ok: false })
  const trap = {
    get a(): never {
      throw new Error('trap')
    },
  }
  expect(normaliseOutput({ b: trap })).toEqual({ ok: false, message: 'The output at "b.a" cannot be read' })
  let twins: unknown = {}
  for (let level = 0; level < 40; level++) twins = [twins, twins]
  expect(normaliseOutput(twins)).toMatchObject({ ok: false, message: expect.stringContaining('5000000 parts') })
})

test('property: accepted output is JSON, stays the same when checked again, and its size is not underestimated', () => {
  fc.assert(
    fc.property(fc.anything({ withDate: true, withSparseArray: true, withNullPrototype: true }), (value) => {
      const result = normaliseOutput(value)
      if (!result.ok) return
      expect(new TextEncoder().encode(JSON.stringify(result.value)).length).toBeLessThanOrEqual(result.size)
      const again = normaliseOutput(result.value)
      expect(again.ok && again.value).toBe(result.value)
    }),
  )
})
