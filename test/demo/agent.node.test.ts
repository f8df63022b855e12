// @module-tag playground
import { createRuntime, fileTools, searchTools, shellTools, type ToolRuntime, webTools } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Conversation,
  type ConversationEvent,
  createConversation,
  type Ending,
  MAX_ANSWERS,
  type TurnOptions,
} from '../../demo/src/agent/conversation.js'
import { type Failure, failureOf } from '../../demo/src/agent/failures.js'
import { createPolicy, type PolicyKind, readingTools } from '../../demo/src/agent/policies.js'
import { addressProblem } from '../../demo/src/agent/provider-choices.js'
import { createModel } from '../../demo/src/agent/providers.js'
import { createRecordedModel, RECORDED_EDIT, RECORDED_QUESTION } from '../../demo/src/agent/recorded.js'
import type { ModelSettings, ProviderKind } from '../../demo/src/agent/settings.js'
import { SAMPLE_PATH, sampleProgram } from '../../demo/src/sample-program.js'
import { KEY, type ModelServer, type ServedAnswer, startModelServer } from './model-server.js'

const KINDS: readonly ProviderKind[] = ['openai', 'anthropic', 'google']

let server: ModelServer

beforeAll(async () => {
  server = await startModelServer()
})

beforeEach(() => {
  server.asked.length = 0
  server.answers.length = 0
})

afterAll(() => server.close())

interface Talk {
  readonly conversation: Conversation
  readonly runtime: ToolRuntime
  readonly events: ConversationEvent[]
  readonly asked: string[]
  say(text: string, more?: Partial<ModelSettings>): Promise<Ending>
  again(more?: Partial<ModelSettings>): Promise<Ending>
  stop(): void
  /** Stops the running turn at the first event that `fits`. */
  stopAt(fits: (event: ConversationEvent) => boolean): void
  text(path: string): Promise<string>
}

interface TalkOptions {
  readonly policy?: () => PolicyKind
  readonly approve?: (tool: string) => boolean
  readonly files?: Readonly<Record<string, string>>
}

function talk(kind: ProviderKind, { policy = () => 'allow', approve = () => true, files = { 'a.txt': 'one\n' } }: TalkOptions = {}): Talk {
  const parts = { tools: [...fileTools(), ...searchTools(), ...shellTools()], shell: createJustBashShell({ scratch: createMemoryFs() }) }
  const asked: string[] = []
  const runtime = createRuntime({
    ...parts,
    fs: createMemoryFs({ files }),
    policy: createPolicy({
      reading: readingTools(parts.tools),
      current: policy,
      ask: async ({ tool }) => {
        asked.push(tool)
        return approve(tool)
      },
    }),
  })
  const events: ConversationEvent[] = []
  let controller = new AbortController()
  let stop: (event: ConversationEvent) => boolean = () => false
  const conversation = createConversation({
    runtime: () => runtime,
    offered: () => (policy() === 'read' ? readingTools(parts.tools) : undefined),
    onEvent(event) {
      events.push(event)
      if (stop(event)) controller.abort()
    },
  })
  async function turn(take: (options: TurnOptions) => Promise<Ending>, more: Partial<ModelSettings> | undefined): Promise<Ending> {
    controller = new AbortController()
    const settings = server.settings(kind, more)
    return take({ ...(await createModel(settings)), signal: controller.signal, patience: settings.patience })
  }
  return {
    conversation,
    runtime,
    events,
    asked,
    say: (text, more) => turn((options) => conversation.send(text, options), more),
    again: (more) => turn((options) => conversation.goOn(options), more),
    stop: () => controller.abort(),
    stopAt(fits) {
      stop = fits
    },
    text: async (path) => (await runtime.workspace.readText(path)).text,
  }
}

const answered: Ending = { reason: 'answered' }
const edit = (from: string, to: string) => ({
  name: 'edit_file',
  input: { path: 'a.txt', edits: [{ old_string: from, new_string: to }] },
})
const saidIn = (events: readonly ConversationEvent[]): string => events.map((event) => (event.type === 'text' ? event.delta : '')).join('')
const results = ({ events }: Talk) => events.flatMap((event) => (event.type === 'done' ? [event.result] : []))
const types = ({ events }: Talk): string[] => events.map(({ type }) => type)

function failure(ending: Ending, settings: ModelSettings): Failure {
  if (ending.reason !== 'failed') throw new Error(`It ended ${ending.reason}`)
  return failureOf(ending.error, settings)
}

describe.each(KINDS)('a conversation with the protocol of %s', (kind) => {
  test('streams text, runs calls with the real tools, and sends the results to the model', async () => {
    server.answers.push(
      { text: 'I look at the file first.', calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
      { calls: [edit('one', 'two')] },
      { text: 'Done, it says two now.' },
    )
    const one = talk(kind)
    expect(await one.say('Make it two.')).toEqual(answered)
    expect(await one.text('a.txt')).toBe('two\n')
    expect(saidIn(one.events)).toBe('I look at the file first.Done, it says two now.')
    expect(one.events.filter(({ type }) => type === 'text').length).toBeGreaterThan(3)
    expect(results(one).map(({ ok }) => ok)).toEqual([true, true])
    expect(server.asked).toHaveLength(3)
    expect(JSON.stringify(server.asked[1]?.body)).toContain('one')
    expect(JSON.stringify(server.asked[2]?.body)).toContain('+two')
    // The next turn sends the whole conversation.
    expect(await one.say('Thank you.')).toEqual(answered)
    expect(JSON.stringify(server.asked[3]?.body)).toContain('Done, it says two now.')
  })

  test('runs the calls of one answer one after another', async () => {
    server.answers.push({ calls: [edit('one', 'two'), edit('two', 'three'), { name: 'read_file', input: { path: 'a.txt' } }] })
    const one = talk(kind)
    expect(await one.say('Go.')).toEqual(answered)
    expect(await one.text('a.txt')).toBe('three\n')
    expect(types(one).filter((type) => ['calls', 'running', 'done'].includes(type))).toEqual([
      'calls',
      ...['running', 'done', 'running', 'done', 'running', 'done'],
    ])
  })

  test.each([
    [401, 'refuses the key'],
    [403, 'refuses the key'],
    [404, 'knows no such model'],
    [400, 'refuses the request (400)'],
    [500, 'has failed (500)'],
    [529, 'has failed (529)'],
  ])('explains status %i, and retries with the same history', async (status, title) => {
    server.answers.push({ status }, { text: 'Here I am.' })
    const one = talk(kind)
    const told = failure(await one.say('Hello?'), server.settings(kind))
    expect(told.title).toContain(title)
    expect(told.said).toBe(`The stand-in says ${status}`)
    expect(await one.again()).toEqual(answered)
    expect(saidIn(one.events)).toBe('Here I am.')
    expect(server.asked).toHaveLength(2)
    expect(server.asked[1]?.body).toEqual(server.asked[0]?.body)
  })

  test('shows how long to wait after too many requests, and does not retry by itself', async () => {
    server.answers.push({ status: 429, headers: { 'retry-after': '17' } })
    const told = failure(await talk(kind).say('Hello?'), server.settings(kind))
    expect(told).toMatchObject({ title: 'Too many requests', advice: expect.stringContaining('17 seconds') })
    expect(server.asked).toHaveLength(1)
  })

  test('never shows the key, even if the server returns it', async () => {
    const key = 'sk-wrong-key-42'
    const settings = server.settings(kind, { key })
    const told = failure(await talk(kind).say('Hello?', { key }), settings)
    expect(told.title).toContain('refuses the key')
    expect(told.said).toContain('Incorrect API key provided')
    expect(JSON.stringify(told)).not.toContain(key)
  })

  test.each<[string, ServedAnswer]>([
    ['before its first text', { silent: true }],
    ['in the middle of an answer', { text: 'I was about to', end: 'stall' }],
    ['after a call', { calls: [edit('one', 'two')], end: 'stall' }],
  ])('gives up a model that stalls %s, and runs none of its calls', async (_, answer) => {
    server.answers.push(answer, { text: 'Now.' })
    const one = talk(kind)
    const told = failure(await one.say('Hello?', { patience: 0.5 }), server.settings(kind))
    expect(told.title).toBe('Nothing came for 0.5 seconds')
    expect(await server.asked[0]?.gone).toBe(true)
    expect(types(one)).not.toContain('running')
    expect(await one.text('a.txt')).toBe('one\n')
    expect(await one.again()).toEqual(answered)
  })

  test('reports a truncated answer, runs none of its calls, and continues', async () => {
    server.answers.push({ text: 'I change it:', calls: [edit('one', 'two')], end: 'cut' }, { text: 'Back.' })
    const one = talk(kind)
    const told = failure(await one.say('Go.'), server.settings(kind))
    expect(told.title).toBe('The answer broke off')
    expect(await one.text('a.txt')).toBe('one\n')
    expect(await one.again()).toEqual(answered)
  })

  test('reports an answer that violates the protocol', async () => {
    server.answers.push({ text: 'So', end: 'garbage' }, { text: 'Back.' })
    const one = talk(kind)
    expect(failure(await one.say('Go.'), server.settings(kind)).title).toBe('The answer was not understood')
    expect(await one.again()).toEqual(answered)
  })

  test('reports a server that answers with a web page', async () => {
    server.answers.push({ status: 200, body: '<!doctype html><h1>Welcome</h1>', headers: { 'content-type': 'text/html' } })
    const ending = await talk(kind).say('Go.')
    expect(ending.reason).toBe('failed')
  })

  test('reports an error in the middle of an answer', async () => {
    server.answers.push({ text: 'So', end: 'error' })
    const told = failure(await talk(kind).say('Go.'), server.settings(kind))
    expect(JSON.stringify(told)).toContain('The stand-in is overloaded')
  })

  test('stops in the middle of an answer, keeps its text, and the next turn is valid', async () => {
    server.answers.push({ text: 'I could tell you a long story about it', end: 'stall' }, { text: 'Sorry.' })
    const one = talk(kind)
    one.stopAt(({ type }) => type === 'text' && saidIn(one.events).includes('story'))
    expect(await one.say('Go.')).toEqual({ reason: 'stopped' })
    expect(await server.asked[0]?.gone).toBe(true)
    one.stopAt(() => false)
    expect(await one.say('Shorter, please.')).toEqual(answered)
    expect(JSON.stringify(server.asked[1]?.body)).toContain('a long story')
    expect(JSON.stringify(server.asked[1]?.body)).toContain('The user stopped the turn here.')
  })

  test('stops before an answer, and the next turn is valid', async () => {
    server.answers.push({ silent: true }, { text: 'Yes?' })
    const one = talk(kind)
    const turn = one.say('Go.')
    await expect.poll(() => server.asked.length).toBe(1)
    one.stop()
    expect(await turn).toEqual({ reason: 'stopped' })
    expect(await one.say('Hello?')).toEqual(answered)
  })

  test('stops in the middle of a call without running later ones, and the next turn is valid', async () => {
    server.answers.push({ calls: [{ name: 'bash', input: { command: 'echo on; sleep 600' } }, edit('one', 'two')] }, { text: 'All right.' })
    const one = talk(kind)
    one.stopAt((event) => event.type === 'progress')
    expect(await one.say('Go.')).toEqual({ reason: 'stopped' })
    expect(types(one).slice(-2)).toEqual(['done', 'dropped'])
    expect(await one.text('a.txt')).toBe('one\n')
    one.stopAt(() => false)
    expect(await one.say('Something else.')).toEqual(answered)
    expect(JSON.stringify(server.asked[1]?.body)).toContain('It was not run')
  })

  test.each([
    ['calls', 'It was not run.', 'It was not run.'],
    ['running', 'It is not known how it ended.', 'It was not run.'],
    ['done', '+two', 'It was not run.'],
  ])('has a true result for each call, even if the page fails at %s', async (type, first, second) => {
    server.answers.push({ calls: [edit('one', 'two'), edit('two', 'three')] }, { text: 'All right.' })
    const one = talk(kind)
    one.stopAt((event) => {
      if (event.type === type) throw new Error('The page is wrong')
      return false
    })
    const told = failure(await one.say('Go.'), server.settings(kind))
    expect(told.title).toBe('This page has failed')
    expect(told.said).toBe('The page is wrong')
    expect(await one.text('a.txt')).toBe(type === 'done' ? 'two\n' : 'one\n')
    // The calls after the failed one are dropped.
    expect(types(one).slice(-2)).toEqual(type === 'done' ? ['done', 'dropped'] : ['dropped', 'dropped'])
    one.stopAt(() => false)
    expect(await one.again()).toEqual(answered)
    const body = JSON.stringify(server.asked[1]?.body)
    expect(body).toContain(first)
    expect(body.split('It was not run.').length - 1).toBe([first, second].filter((text) => text === 'It was not run.').length)
    expect(body).not.toContain('The user stopped')
  })

  test('does not report a call as not run if only its display failed', async () => {
    server.answers.push({ calls: [{ name: 'bash', input: { command: 'echo hi >> a.txt; sleep 1; echo there' } }] }, { text: 'I see.' })
    const one = talk(kind)
    one.stopAt(({ type }) => {
      if (type === 'progress') throw new Error('The page is wrong')
      return false
    })
    expect((await one.say('Go.')).reason).toBe('failed')
    one.stopAt(() => false)
    expect(await one.again()).toEqual(answered)
    const body = JSON.stringify(server.asked[1]?.body)
    expect(body).toContain('It is not known how it ended.')
    expect(body).not.toContain('It was not run')
  })

  test('keeps the user’s message if the code for the request cannot be loaded', async () => {
    server.answers.push({ text: 'Yes?' })
    const one = talk(kind)
    await expect(one.conversation.send('Hello?', Promise.reject(new Error('not loaded')))).rejects.toThrow('not loaded')
    expect(await one.again()).toEqual(answered)
    expect(JSON.stringify(server.asked[0]?.body)).toContain('Hello?')
  })

  test('answers unknown tools and invalid input with errors, and the model continues', async () => {
    server.answers.push(
      {
        calls: [
          { name: 'read_flie', input: { path: 'a.txt' } },
          { name: '__proto__', input: {} },
          { name: 'constructor', input: {} },
          { name: 'read_file', input: { path: 42 } },
        ],
      },
      { text: 'I see.' },
    )
    const one = talk(kind)
    expect(await one.say('Go.')).toEqual(answered)
    expect(results(one).map((result) => (result.ok ? 'ok' : result.output.code))).toEqual([
      'unknown_tool',
      'unknown_tool',
      'unknown_tool',
      'invalid_input',
    ])
    expect(JSON.stringify(server.asked[1]?.body)).toContain('read_file')
  })

  test('stops a model that keeps calling tools, and continues at the user’s request', async () => {
    for (let index = 0; index <= MAX_ANSWERS; index += 1) server.answers.push({ calls: [{ name: 'read_file', input: { path: 'a.txt' } }] })
    server.answers.push({ text: 'Enough.' })
    const one = talk(kind)
    expect(await one.say('Go.')).toEqual({ reason: 'many-calls' })
    expect(server.asked).toHaveLength(MAX_ANSWERS)
    expect(await one.again()).toEqual(answered)
    expect(server.asked).toHaveLength(MAX_ANSWERS + 2)
  })

  test('stops an answer with endless calls and runs none of them', async () => {
    server.answers.push({ endless: { name: 'write_file', input: { path: 'b.txt', content: 'x' } } })
    const one = talk(kind)
    expect(failure(await one.say('Go.'), server.settings(kind)).title).toBe('The answer had no end')
    expect(await server.asked[0]?.gone).toBe(true)
    expect(types(one)).not.toContain('running')
  })

  test('asks about calls that change something, by the current policy', async () => {
    let policy: PolicyKind = 'ask'
    let approves = false
    const calls = [{ name: 'read_file', input: { path: 'a.txt' } }, edit('one', 'two')]
    const one = talk(kind, { policy: () => policy, approve: () => approves })
    server.answers.push({ calls }, { text: 'A pity.' })
    expect(await one.say('Go.')).toEqual(answered)
    expect(one.asked).toEqual(['edit_file'])
    expect(results(one).map((result) => (result.ok ? 'ok' : result.output.code))).toEqual(['ok', 'approval_required'])
    expect(JSON.stringify(server.asked[1]?.body)).toContain('the required approval was not given')
    expect(await one.text('a.txt')).toBe('one\n')
    approves = true
    server.answers.push({ calls }, { text: 'Good.' })
    expect(await one.say('Yes, do.')).toEqual(answered)
    expect(await one.text('a.txt')).toBe('two\n')
    policy = 'read'
    server.answers.push({ calls: [edit('two', 'three')] }, { text: 'I may not.' })
    expect(await one.say('Again.')).toEqual(answered)
    expect(await one.text('a.txt')).toBe('two\n')
    expect(JSON.stringify(server.asked.at(-1)?.body)).not.toMatch(/"name":"(?:write_file|bash)"/)
    policy = 'allow'
    server.answers.push({ calls: [edit('two', 'three')] })
    expect(await one.say('And now?')).toEqual(answered)
    expect(await one.text('a.txt')).toBe('three\n')
    expect(one.asked).toEqual(['edit_file', 'edit_file'])
  })

  test('tells the model what network access exists', async () => {
    const one = talk(kind)
    await one.say('Hello.')
    expect(JSON.stringify(server.asked[0]?.body)).toContain('There is no network.')
    one.runtime.registry.registerMany(
      webTools({ provider: 'exa', baseUrl: 'https://search.invalid' }).map((tool) => ({ ...tool, requires: [] })),
    )
    await one.say('And now?')
    expect(JSON.stringify(server.asked[1]?.body)).toContain('There is no network but web_search.')
  })

  test('tells the model what the user did meanwhile', async () => {
    const one = talk(kind)
    await one.say('Hello.')
    one.conversation.note('The user has undone it.')
    await one.say('Go on.')
    expect(JSON.stringify(server.asked[1]?.body)).toContain('[The user has undone it.]\\n\\nGo on.')
  })
})

describe('a conversation in detail', () => {
  test.each([
    ['arguments that are not JSON', { name: 'read_file', raw: '{"path": "a.t' }],
    ['arguments that are not an object', { name: 'read_file', raw: '"a.txt"' }],
    ['a tool name with markup', { name: '<img src=x onerror=alert(1)>', input: {} }],
    ['a very long tool name', { name: 'x'.repeat(100_000), input: {} }],
  ])('accepts %s and stays valid', async (_, call) => {
    server.answers.push({ calls: [call] }, { text: 'I see.' })
    const one = talk('openai')
    expect(await one.say('Go.')).toEqual(answered)
    expect(results(one).map(({ ok }) => ok)).toEqual([false])
    expect(await one.say('And?')).toEqual(answered)
  })

  test('names both reasons for an unreachable server: not running, or without CORS', async () => {
    const gone = await startModelServer()
    const settings = gone.settings('openai')
    await gone.close()
    const told = failure(await talk('openai').say('Hello?', { address: settings.address }), settings)
    expect(told.title).toContain('cannot be reached')
    expect(told.advice).toContain('CORS')
  })

  test('sends the key in each provider’s way, and Anthropic’s header for browsers', async () => {
    for (const kind of KINDS) await talk(kind).say('Hello.')
    const [openai, anthropic, google] = server.asked.map(({ headers }) => headers)
    expect(openai?.authorization).toBe(`Bearer ${KEY}`)
    expect(anthropic?.['x-api-key']).toBe(KEY)
    expect(anthropic?.['anthropic-dangerous-direct-browser-access']).toBe('true')
    expect(google?.['x-goog-api-key']).toBe(KEY)
    expect(server.asked.every(({ path }) => !path.includes(KEY))).toBe(true)
  })

  test('follows no redirect, which would get the key', async () => {
    server.answers.push({ status: 307, headers: { location: server.settings('openai').address } })
    const ending = await talk('openai').say('Hello.')
    expect(ending.reason).toBe('failed')
    expect(server.asked).toHaveLength(1)
  })
})

describe('the recorded conversation in detail', () => {
  const recorded = (): TurnOptions => ({ model: createRecordedModel({ pace: 0 }), signal: new AbortController().signal, patience: 60 })

  test('runs with the real tools', async () => {
    const one = talk('openai', { files: sampleProgram })
    expect(await one.conversation.send(RECORDED_QUESTION, recorded())).toEqual(answered)
    expect(results(one).every(({ ok }) => ok)).toBe(true)
    expect(await one.text(SAMPLE_PATH)).toBe(sampleProgram[SAMPLE_PATH]?.replace(RECORDED_EDIT.old_string, RECORDED_EDIT.new_string))
    expect(server.asked).toEqual([])
  })

  test('runs its program on any workspace', async () => {
    const one = talk('openai', { files: sampleProgram })
    await one.conversation.send(RECORDED_QUESTION, recorded())
    const commands = one.events.flatMap((event) => (event.type === 'running' && event.call.tool === 'bash' ? [event.call.input] : []))
    expect(commands).toEqual([{ command: 'node examples/lines.js .' }])
  })

  test('reports a failing program and does not claim that it works', async () => {
    // The shell of these tests has no `node` command.
    const one = talk('openai', { files: sampleProgram })
    expect(await one.conversation.send(RECORDED_QUESTION, recorded())).toEqual(answered)
    expect(saidIn(one.events)).toContain('(**exit code 127**)')
    expect(saidIn(one.events)).not.toContain('It works')
  })

  test('reports a denied call and changes nothing', async () => {
    const one = talk('openai', { files: sampleProgram, policy: () => 'ask', approve: () => false })
    expect(await one.conversation.send(RECORDED_QUESTION, recorded())).toEqual(answered)
    expect(saidIn(one.events)).toContain('That call did not go through')
    expect(await one.text(SAMPLE_PATH)).toBe(sampleProgram[SAMPLE_PATH])
  })
})

test.each([
  ['https://api.example.com/v1', true],
  ['http://localhost:11434/v1', true],
  ['http://127.0.0.1:1234', true],
  ['http://api.example.com/v1', false],
  ['http://localhost.example.com/', false],
  ['https://user:secret@example.com/', false],
  ['api.example.com', false],
  ['file:///etc/passwd', false],
  ['', false],
])('the API URL %s is allowed: %s', (address, allowed) => {
  expect(addressProblem(address) === undefined).toBe(allowed)
})
