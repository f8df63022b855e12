import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelSettings, ProviderKind } from '../../demo/src/agent/settings.js'
import { invalidHistory } from './model-histories.js'
import { type Frame, type ServedCall, streamOf } from './model-streams.js'
import { closeServer } from './registry-server.js'

/** What the server does with one request. */
export type ServedAnswer =
  | {
      readonly text?: string
      /** Characters per piece; default 12. */
      readonly pieces?: number
      readonly calls?: readonly ServedCall[]
      readonly end?: 'finish' | 'stall' | 'cut' | 'garbage' | 'error'
    }
  /** A response without a stream. */
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Does not respond. */
  | { readonly silent: true }
  /** Sends calls one after another until the client disconnects. */
  | { readonly endless: ServedCall }

export interface Asked {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
  /** Settles when the response is over: `true` if the client disconnected before its end. */
  readonly gone: Promise<boolean>
}

/** A stand-in for three providers, on the loopback interface. It rejects conversations that the providers would reject. */
export interface ModelServer {
  readonly asked: Asked[]
  /** The next answers, in order. Without any left, the server answers `Nothing more.` */
  readonly answers: ServedAnswer[]
  /** Whether pages of other origins may read the responses; default true. */
  cors: boolean
  settings(kind: ProviderKind, more?: Partial<ModelSettings>): ModelSettings
  close(): Promise<void>
}

export const KEY = 'sk-stand-in-0123456789'

const PLACES: Readonly<Record<ProviderKind, { readonly base: string; readonly key: string }>> = {
  openai: { base: '/openai/v1', key: 'authorization' },
  anthropic: { base: '/anthropic/v1', key: 'x-api-key' },
  google: { base: '/google/v1beta', key: 'x-goog-api-key' },
}

export async function startModelServer(): Promise<ModelServer> {
  const asked: Asked[] = []
  const answers: ServedAnswer[] = []
  const state = { cors: true }
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (state.cors) {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-expose-headers', 'retry-after')
    }
    if (request.method === 'OPTIONS') {
      // Allows only the headers that the providers know, as the providers do.
      response.setHeader(
        'access-control-allow-headers',
        'authorization, content-type, x-api-key, anthropic-version, anthropic-beta, anthropic-dangerous-direct-browser-access, x-goog-api-key',
      )
      response.writeHead(204).end()
      return
    }
    const path = request.url ?? ''
    const kind = (Object.keys(PLACES) as ProviderKind[]).find((one) => path.startsWith(`${PLACES[one].base}/`))
    const body = JSON.parse(await textOf(request)) as Asked['body']
    const gone = new Promise<boolean>((resolve) => {
      response.on('close', () => resolve(!response.writableFinished))
    })
    asked.push({ path, headers: request.headers, body, gone })
    if (!kind) {
      refuse(response, 404, `There is no ${path}`)
      return
    }
    if (!String(request.headers[PLACES[kind].key] ?? '').includes(KEY)) {
      refuse(response, 401, `Incorrect API key provided: ${request.headers[PLACES[kind].key]}`)
      return
    }
    const wrong = invalidHistory(kind, body)
    if (wrong !== undefined) {
      refuse(response, 400, wrong)
      return
    }
    await give(kind, answers.shift() ?? { text: 'Nothing more.' }, response)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked,
    answers,
    get cors() {
      return state.cors
    },
    set cors(allowed) {
      state.cors = allowed
    },
    settings: (kind, more) => ({
      kind,
      address: `http://127.0.0.1:${port}${PLACES[kind].base}`,
      model: 'stand-in',
      key: KEY,
      patience: 60,
      ...more,
    }),
    close: () => closeServer(server),
  }
}

async function give(kind: ProviderKind, answer: ServedAnswer, response: ServerResponse): Promise<void> {
  if ('silent' in answer) return
  if ('status' in answer) {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.body ?? JSON.stringify({ error: { message: `The stand-in says ${answer.status}`, type: 'stand_in' } }))
    return
  }
  const { begin, text, call, finish, error } = streamOf(kind)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const write = (frames: readonly Frame[]): void => void response.write(frames.map(wire).join(''))
  write(begin())
  if ('endless' in answer) {
    for (let index = 0; !response.destroyed; index += 1) {
      write(call(answer.endless, index))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return
  }
  const { text: said = '', pieces: length = 12, calls = [], end = 'finish' } = answer
  const pieces = Array.from({ length: Math.ceil(said.length / length) }, (_, at) => said.slice(at * length, (at + 1) * length))
  if (pieces.length) write(text(pieces))
  for (const [index, one] of calls.entries()) write(call(one, index))
  if (end === 'stall') return
  if (end === 'cut') {
    // Gives the written data time to arrive before the connection ends.
    await new Promise((resolve) => setTimeout(resolve, 50))
    response.destroy()
    return
  }
  if (end === 'garbage') response.write('data: {"choices": [{"delta": {"content": "un\n\n')
  else if (end === 'error') write(error('The stand-in is overloaded'))
  else write(finish(calls.length > 0))
  response.end()
}

const wire = ({ event, data }: Frame): string =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: 'stand_in' } }))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
