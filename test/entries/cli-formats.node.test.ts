// @module-tag cli
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { toAnthropicTools, toGeminiTools, toMcpTools, toOpenAiChatTools, toOpenAiResponsesTools } from 'toolport/formats'
import { standard } from 'toolport/presets/standard'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, sharedCli } from './cli-support.js'

let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolport-cli-formats-'))
})

afterAll(() => rm(root, { recursive: true }))

const shared = sharedCli()
const toolport = (...args: readonly string[]): Promise<Ended> => shared(root, args)

const printed = async (...args: readonly string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await toolport('tools', ...args)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

describe('toolport tools --format', () => {
  const manifest = createRuntime({ fs: createMemoryFs(), preset: standard() }).getModelManifest()
  const grep = manifest.filter(({ name }) => name === 'grep')
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  it.each([
    ['openai', [], toOpenAiChatTools(manifest, { strict: false })],
    ['openai', ['--strict'], toOpenAiChatTools(manifest)],
    ['openai-responses', [], toOpenAiResponsesTools(manifest, { strict: false })],
    ['openai-responses', ['--strict'], toOpenAiResponsesTools(manifest)],
    ['anthropic', [], toAnthropicTools(manifest)],
    ['gemini', [], [toGeminiTools(manifest)]],
    ['mcp', [], toMcpTools(manifest)],
    ['ai-sdk', [], Object.fromEntries(manifest.map(({ alias, description, inputSchema }) => [alias, { description, inputSchema }]))],
  ])('%s %j prints one JSON value in the format of the API', async (format, more, expected) => {
    expect(await printed('--format', format, ...more)).toEqual(plain(expected))
  })

  it('is strict only with --strict', async () => {
    const [loose, strict] = await Promise.all([printed('--format', 'openai'), printed('--format', 'openai', '--strict')])
    expect(loose).toMatchObject([{ function: { strict: false } }, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}])
    expect((strict as { function: { strict: boolean } }[]).some((tool) => tool.function.strict)).toBe(true)
  })

  it('prints a single tool', async () => {
    expect(await printed('grep', '--format', 'anthropic')).toEqual(plain(toAnthropicTools(grep)))
    expect(Object.keys((await printed('--format', 'ai-sdk', 'grep')) as object)).toEqual(['grep'])
  })

  it.each([
    [['tools', '--format', 'cohere'], 'use one of openai, openai-responses, anthropic, gemini, ai-sdk, mcp'],
    [['tools', '--format='], '--format is empty'],
    [['tools', '--format', 'openai', '--json'], '--format prints JSON already'],
    [['tools', '--strict'], '--strict needs --format openai'],
    [['tools', '--strict', '--format', 'gemini'], '--strict needs --format openai'],
    [['call', 'grep', '--format', 'openai'], '--format is for "tools"'],
    [['tools', 'grepp', '--format', 'openai'], 'did you mean "grep"?'],
  ])('rejects %j with exit code 2', async (args, words) => {
    const { code, stdout, stderr } = await toolport(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
  })
})
