import { DurableObject } from 'cloudflare:workers'
import type { Credential, Env, WorkspaceCreated, WorkspaceEntry, WorkspaceStart } from '../env.js'
import { errorResponse, tooMany, unauthorized } from '../http/errors.js'
import { RateLimit } from '../http/rate-limit.js'
import { type Route, routeOf } from '../http/routes.js'
import { credentialOf, isPreviewKey, TokenCheck } from '../http/token.js'
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

/** Heartbeat of socket clients. The platform answers without waking the object. */
const PING = 'ping'
const PONG = 'pong'
/** Time that background work has to end when its workspace is deleted. */
const CLOSE_MS = 10_000
/** Close code of a socket whose workspace was deleted. */
const GONE = 4410
/** The only key of the rate limit: all sockets of the workspace share one bucket. */
const ALL = ''

/** The Durable Object of one workspace: its files, token, calls and background work. The platform runs exactly one instance at a time. */
export class WorkspaceObject extends DurableObject<Env> implements Pick<WorkspaceEntry, 'create' | 'isRight' | 'fetch'> {
  readonly #settings: Settings
  readonly #records: RecordStore
  readonly #alarms: Alarms
  readonly #requests: RateLimit
  /** Limits messages on sockets, except acknowledgements. */
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

  /** Creates the workspace. Only the front calls this, with a new id that no client knows yet. */
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

  /** Only the front calls this, while it waits for the answer to a request. */
  async isRight({ token, previewKey }: Credential): Promise<boolean> {
    const digest = this.#records.current?.digest
    const known = previewKey === undefined ? await this.#token.isRight(token, digest) : await isPreviewKey(previewKey, digest)
    return known && this.#usable() !== undefined
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

  /**
   * Deletes an expired workspace. Otherwise opens the workspace and sets the next alarm: that keeps background work awake, or reports after
   * an eviction which work was lost.
   */
  override async alarm(): Promise<void> {
    if (!this.#records.current) return
    const record = this.#usable()
    if (!record) return this.#delete()
    // Sets the next alarm first: opening the workspace may fail, or take longer than an alarm may.
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

  /** Checks the token. The error does not reveal whether the workspace exists. @throws {HttpError} unauthorized */
  async #authorize(request: Request, route: Route): Promise<void> {
    if (!(await this.isRight(credentialOf(request, route.to === 'preview' ? route.key : undefined)))) throw unauthorized()
  }

  /** The record, unless the workspace is deleted or expired. A running call postpones the expiry, up to the maximum age. */
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

  /** @throws {HttpError} unauthorized, when the workspace was deleted meanwhile */
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
      // Sessions from before an eviction need cleanup too.
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

  /** After the first line, the workspace no longer exists for any request. */
  async #delete(): Promise<void> {
    this.#records.forget()
    this.#closing.abort()
    for (const socket of this.ctx.getWebSockets()) socket.close(GONE, 'The workspace was deleted')
    const ended = await endsWithin(CLOSE_MS, this.#end())
    await this.#alarms.clear()
    await this.ctx.storage.deleteAll()
    if (ended) return
    // A program that still runs would keep writing and undo the deletion. Aborting the object ends that program.
    await this.ctx.storage.sync()
    this.ctx.abort('The workspace was deleted while a program of it did not stop')
  }

  /** Closes the workspace, even while it is opening: `#closing` stops the opening. */
  async #end(): Promise<void> {
    const open = await this.#open?.catch(() => undefined)
    this.#open = undefined
    if (open) await closeWorkspace(open)
  }
}
