import type { Socket } from 'node:net'
import { send } from './channel.js'
import { CHANNEL_FD, type ParentMessage } from './task.js'

interface Pending {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
}

/** `globalThis.invokeTool(name, input)`. The channel keeps the process alive only while an answer is pending. */
export function installTools(): void {
  const pending = new Map<number, Pending>()
  let calls = 0
  let opening: Promise<Socket> | undefined

  function settle({ call, output, error }: ParentMessage): void {
    const waiting = pending.get(call)
    pending.delete(call)
    if (error) waiting?.reject(failure(error))
    else waiting?.resolve(output)
  }

  async function open(): Promise<Socket> {
    const { Socket } = await import('node:net')
    const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true })
    readLines(socket, (line) => {
      settle(JSON.parse(line))
      if (pending.size === 0) socket.unref()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      for (const { reject } of pending.values()) reject(new Error('Cannot call the tool: the program is being ended'))
      pending.clear()
    })
    return socket
  }

  async function invokeTool(name: unknown, input?: unknown): Promise<unknown> {
    if (typeof name !== 'string') throw new TypeError(`The name of a tool is a string, not ${name === null ? 'null' : `a ${typeof name}`}`)
    opening ??= open()
    const socket = await opening
    const call = ++calls
    const answer = new Promise((resolve, reject) => pending.set(call, { resolve, reject }))
    try {
      send({ call, name, input })
    } catch (error) {
      pending.delete(call)
      throw error
    }
    socket.ref()
    return answer
  }
  Object.defineProperty(globalThis, 'invokeTool', { value: invokeTool, writable: true, configurable: true })
}

function failure({ message, ...rest }: NonNullable<ParentMessage['error']>): Error {
  const error = Object.assign(new Error(message), rest)
  for (const key of Object.keys(rest)) Object.defineProperty(error, key, { enumerable: key === 'code' })
  return error
}

function readLines(socket: Socket, onLine: (line: string) => void): void {
  let parts: string[] = []
  socket.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...rest] = text.split('\n')
    parts.push(first)
    for (const next of rest) {
      onLine(parts.join(''))
      parts = [next]
    }
  })
}
