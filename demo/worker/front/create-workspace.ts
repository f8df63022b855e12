import type { Env, WorkspaceCreated, WorkspaceStart } from '../env.js'
import { readJson } from '../http/body.js'
import { HttpError } from '../http/errors.js'
import { digestOf, hasDigest, newToken, tokenOf } from '../http/token.js'
import type { Settings } from '../settings.js'
import { ask } from './ask.js'
import type { Guards } from './guards.js'

/** Authorizes a creation before the request's body is read. @throws {HttpError} creation_closed, unauthorized, too_many_requests */
export async function mayCreate(request: Request, env: Env, guards: Guards, address: string): Promise<void> {
  const { CREATE_TOKEN, OPEN } = env
  if (!CREATE_TOKEN && OPEN !== 'true') {
    throw new HttpError(503, 'creation_closed', 'This server creates no workspaces yet: its operator has set no CREATE_TOKEN', {
      hint: 'npx wrangler secret put CREATE_TOKEN',
    })
  }
  if (CREATE_TOKEN) {
    const check = async (): Promise<boolean> => hasDigest(tokenOf(request), await digestOf(CREATE_TOKEN))
    // Creations have a lower limit anyway, so right tokens may count.
    if (!(await guards.attempt(address, env, { check, isWrong: (isRight) => !isRight, countsRight: true }))) {
      throw new HttpError(401, 'unauthorized', 'Creating a workspace needs the token of the operator', {
        hint: 'Send "Authorization: Bearer <CREATE_TOKEN>"',
        headers: { 'www-authenticate': 'Bearer' },
      })
    }
  }
  await guards.countCreation(address, env)
}

/** Creates a workspace in a Durable Object of its own. Only this response contains the workspace token. */
export async function createWorkspace(request: Request, { WORKSPACES }: Env, settings: Settings): Promise<Response> {
  const start = await readStart(request, settings)
  const token = newToken()
  const id = WORKSPACES.newUniqueId()
  const digest = await digestOf(token)
  const create = async (): Promise<WorkspaceCreated> => WORKSPACES.get(id).create({ ...start, digest })
  const created = await ask(create, 'Ask again: what was begun, if anything, expires by itself')
  if (!created.ok) throw new HttpError(400, 'invalid_files', created.message)
  const body = { id: id.toString(), token, expiresAt: new Date(created.expiresMs).toISOString() }
  return Response.json(body, { status: 201, headers: { location: `/workspaces/${body.id}` } })
}

async function readStart(request: Request, settings: Settings): Promise<Omit<WorkspaceStart, 'digest'>> {
  const { files = {}, ttlMs = settings.TTL_MS, ...others } = isEmpty(request) ? {} : await readObject(request, settings)
  const [other] = Object.keys(others)
  if (other !== undefined) throw invalid(`there is no "${other}"; it takes "files" and "ttlMs"`)
  if (typeof ttlMs !== 'number' || !Number.isSafeInteger(ttlMs) || ttlMs < 1 || ttlMs > settings.MAX_TTL_MS) {
    throw invalid(`"ttlMs" has to be a whole number of milliseconds from 1 to ${settings.MAX_TTL_MS}`)
  }
  if (!isFiles(files)) throw invalid('"files" has to be an object of paths with their text')
  return { files, ttlMs }
}

/** An empty request may have no body or a `Content-Length` of 0. */
const isEmpty = ({ body, headers }: Request): boolean => body === null || headers.get('content-length') === '0'

async function readObject(request: Request, settings: Settings): Promise<Readonly<Record<string, unknown>>> {
  const body = await readJson(request, settings)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('it has to be an object')
  return body as Readonly<Record<string, unknown>>
}

const invalid = (why: string): HttpError => new HttpError(400, 'invalid_body', `The workspace cannot be created as the body says: ${why}`)

const isFiles = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((text) => typeof text === 'string')
