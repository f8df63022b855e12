// @module-tag same-bytes
import { createRuntime, type ToolCall } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { standard } from 'toolport/presets/standard'
import { expect, it } from 'vitest'
import { service } from '../service.js'

const { root, files, calls, printed, after } = await service('cli')

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

it('the command line on a directory and a memory workspace give the same bytes', async () => {
  const fs = createMemoryFs({ files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, fromBase64(text)])) })
  const runtime = createRuntime({ fs, root, preset: standard() })
  const expected = printed.trimEnd().split('\n')
  const lines = calls.trimEnd().split('\n')
  expect(expected).toHaveLength(lines.length)
  for (const [i, line] of lines.entries()) {
    expect(JSON.stringify(await runtime.execute(JSON.parse(line) as ToolCall)), line).toBe(expected[i])
  }
  const left = await runtime.workspace.files()
  const encoded = Object.entries(left).map(([path, content]) => [
    path,
    toBase64(typeof content === 'string' ? new TextEncoder().encode(content) : content),
  ])
  expect(Object.fromEntries(encoded)).toEqual(after)
})

it('half of the recorded calls succeed, and half of the tools have a failing call', () => {
  const results = printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { ok: boolean; output: { code?: string } })
  expect(results.filter(({ ok }) => ok).length).toBeGreaterThan(30)
  expect(new Set(results.flatMap(({ output }) => output.code ?? [])).size).toBeGreaterThan(8)
})
