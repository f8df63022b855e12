import { DurableObject } from 'cloudflare:workers'
import type { Env, WorkspaceCreated, WorkspaceEntry, WorkspaceStart } from '../env.js'
import { errorResponse, tooMany, unauthorized } from '../http/errors.js'
import { RateLimit } from '../http/rate-limit.js'
import { type Route, routeOf } from '../http/routes.js'
import { isPreviewKey, TokenCheck, tokenOf } from '../http/token.js'
import { type Settings, settingsOf } from '../settings.js'
import { Alarms } from './alarms.js'
import { answerCall } from './answer-call.js'
import { answerPreview } from './answer-preview.js'
import { answerTools } from './answer-tools.js'
import { describeWorkspace } from './describe-workspace.js'
import { cleanUp, closeWorkspace, isBusy, type OpenWorkspace, openWorkspace } from './open-workspace.js'
import { RecordStore, type WorkspaceRecord } from './record.js'
import { RunningCalls } from './running-calls.js'
import { openSocket, readMessage, takeAck } from './sockets.js'
import { endsWithin } from './within.js'
import { writeFirstFiles } from './write-first-files.js'

/** Heartbeat of a socket's client, answered by the platform: it does not wake the object. */
const PING = 'ping'
const PONG = 'pong'
/** For background work to end when its workspace is deleted. */
const CLOSE_MS = 10_000
/** Of a socket whose workspace is deleted. */
const GONE = 4410
/** One key: a bucket for the whole workspace. */
const ALL = ''

/** One workspace: its files, its token, its calls, its background work. The platform runs exactly one of it at a time. */
export class WorkspaceObject extends DurableObject<Env> implements Pick<WorkspaceEntry, 'create' | 'fetch'> {
  readonly #settings: Settings
  readonly #records: RecordStore
  readonly #alarms: Alarms
  readonly #requests: RateLimit
  /** On sockets; what acknowledges is none of them. */
  readonly #messages: RateLimit
  readonly #token = new TokenCheck()
  readonly #calls: RunningCalls
  /** Aborted when the workspace is deleted. */
  readonly #closing = new AbortController()
  #open: Promise<OpenWorkspace> | undefined

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#settings = settingsOf(env)
    this.#records = new RecordStore(ctx.storage, this.#settings)
    this.#alarms = new Alarms(ctx.storage)
    this.#requests = new RateLimit({ burst: this.#settings.BURST, perMinute: this.#settings.REQUESTS_PER_MINUTE })
    this.#messages = new RateLimit({ burst: this.#settings.MESSAGE_BURST, perMinute: this.#settings.MESSAGES_PER_MINUTE })
    this.#calls = new RunningCalls(this.#settings.MAX_CALLS)
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG))
  }

  /** For the front, which has made the id: nobody else knows it yet. */
  async create(start: WorkspaceStart): Promise<WorkspaceCreated> {
    const record = this.#records.create(start)
    const expiresMs = this.#records.expiresMs(record)
    await this.#alarms.set(expiresMs)
    const { runtime } = await this.#opened()
    const problem = await writeFirstFiles(runtime.workspace, start.files)
    if (problem === undefined) return { ok: true, expiresMs }
    await this.#delete()
    return { ok: false, message: problem }
  }

  override async fetch(request: Request): Promise<Response> {
    try {
      const route = routeOf(request)
      await this.#authorize(request, route)
      const wait = this.#requests.take(ALL)
      if (wait > 0) throw tooMany('Too many requests for this workspace', wait)
      this.#records.touch()
      return await this.#answer(request, route)
    } catch (error) {
      return errorResponse(error)
    }
  }

  /** Deletes what is not used any more; and wakes the object while it has background work, so that one that was evicted says what is lost. */
  override async alarm(): Promise<void> {
    if (!this.#records.current) return
    const record = this.#usable()
    if (!record) return this.#delete()
    // The next one first: to open the workspace may fail, or take longer than an alarm may.
    await this.#alarms.next(this.#records.expiresMs(record))
    try {
      await this.#setAlarm(await this.#opened())
    } catch (error) {
      console.error(error)
    }
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    if (!this.#usable()) return socket.close(GONE, 'The workspace was deleted')
    const message = readMessage(data)
    if (message === undefined) return socket.close(1009, 'The message is too long')
    if (!takeAck(socket, message) && this.#messages.take(ALL) > 0) return socket.close(1008, 'Too many messages')
    this.#records.touch()
    const { sockets } = await this.#opened()
    sockets.onMessage(socket, message)
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close()
  }

  /** Whose token it is; who has another one learns nothing of whether there is a workspace. @throws {HttpError} unauthorized */
  async #authorize(request: Request, route: Route): Promise<void> {
    const digest = this.#records.current?.digest
    const key = route.to === 'preview' ? route.key : undefined
    const known = key !== undefined ? await isPreviewKey(key, digest) : await this.#token.isRight(tokenOf(request), digest)
    if (!known || !this.#usable()) throw unauthorized()
  }

  /** The record, unless the workspace is deleted or due to be. A call that runs puts that off, as far as its age may go. */
  #usable(): WorkspaceRecord | undefined {
    if (this.#isDue() && this.#calls.inUse) this.#records.touch()
    return this.#isDue() ? undefined : this.#records.current
  }

  #isDue(): boolean {
    const record = this.#records.current
    return !record || Date.now() >= this.#records.expiresMs(record)
  }

  async #answer(request: Request, route: Route): Promise<Response> {
    if (route.to === 'workspace' && request.method === 'DELETE') {
      await this.#delete()
      return new Response(null, { status: 204 })
    }
    if (route.to === 'socket') return openSocket(this.ctx, request, this.#settings.MAX_SOCKETS)
    const open = await this.#opened()
    const { runtime, mcp } = open
    const calls = this.#calls
    switch (route.to) {
      case 'tools':
        return answerTools(request, runtime)
      case 'preview':
        return answerPreview(request, route, { runtime, digest: this.#records.current?.digest, origins: this.env.ORIGINS })
      case 'mcp':
        return mcp.answer(request)
      case 'calls':
        if (route.callId === undefined) return answerCall(request, { runtime, calls, settings: this.#settings })
        calls.cancel(route.callId)
        return new Response(null, { status: 204 })
      default:
        return Response.json(await describeWorkspace({ open, calls, ctx: this.ctx, records: this.#records, settings: this.#settings }))
    }
  }

  /** @throws {HttpError} unauthorized, where it was deleted meanwhile */
  async #opened(): Promise<OpenWorkspace> {
    if (!this.#records.current) throw unauthorized()
    this.#open ??= this.#begin()
    return this.#open
  }

  async #begin(): Promise<OpenWorkspace> {
    try {
      const closing = this.#closing.signal
      const open = await openWorkspace({ ctx: this.ctx, env: this.env, settings: this.#settings, calls: this.#calls, closing })
      let busy = false
      open.runtime.sessions.onChange(() => {
        if (busy === isBusy(open)) return
        busy = !busy
        this.ctx.waitUntil(this.#setAlarm(open))
      })
      // What an earlier one has left is to be forgotten too.
      if (open.runtime.sessions.list().length > 0) await this.#setAlarm(open)
      return open
    } catch (error) {
      // The next request tries again.
      this.#open = undefined
      throw this.#closing.signal.aborted ? unauthorized() : error
    }
  }

  async #setAlarm(open: OpenWorkspace): Promise<void> {
    const record = this.#records.current
    if (!record) return
    const cleanMs = cleanUp(open, this.#settings.KEEP_SESSIONS_MS)
    await this.#alarms.set(this.#records.expiresMs(record), { busy: isBusy(open), cleanMs })
  }

  /** From its first line on there is no such workspace. */
  async #delete(): Promise<void> {
    this.#records.forget()
    this.#closing.abort()
    for (const socket of this.ctx.getWebSockets()) socket.close(GONE, 'The workspace was deleted')
    const ended = await endsWithin(CLOSE_MS, this.#end())
    await this.#alarms.clear()
    await this.ctx.storage.deleteAll()
    if (ended) return
    // What still runs would write on: it ends with the object, which must not take the deletion back.
    await this.ctx.storage.sync()
    this.ctx.abort('The workspace was deleted while a program of it did not stop')
  }

  /** Also one that is being opened: that ends with the signal. */
  async #end(): Promise<void> {
    const open = await this.#open?.catch(() => undefined)
    this.#open = undefined
    if (open) await closeWorkspace(open)
  }
}
