import type { Env } from '../env.js'
import { HttpError, unauthorized } from '../http/errors.js'
import { tokenOf } from '../http/token.js'
import type { Guards } from './guards.js'

/**
 * Hands the request to the object of the workspace, which knows its token. Ids are the namespace's own: one that it has not made begins no
 * object.
 *
 * @throws {HttpError} unauthorized, too_many_requests, unavailable
 */
export async function toWorkspace(request: Request, id: string, env: Env, guards: Guards, address: string): Promise<Response> {
  const known = idOf(id, env)
  const key = known ? `${address} ${id}` : address
  guards.checkFailures(key)
  if (!known || tokenOf(request) === undefined) {
    await guards.countFailure(key, env)
    throw unauthorized()
  }
  const response = await ask(env.WORKSPACES.get(known), request)
  if (response.status === 401) await guards.countFailure(key, env)
  return response
}

function idOf(id: string, { WORKSPACES }: Env): DurableObjectId | undefined {
  try {
    return WORKSPACES.idFromString(id)
  } catch {
    return undefined
  }
}

/** An object that is moved, restarted or overloaded answers nobody for a moment. */
async function ask(stub: { fetch(request: Request): Promise<Response> }, request: Request): Promise<Response> {
  try {
    return await stub.fetch(request)
  } catch (error) {
    console.error(error)
    throw new HttpError(503, 'unavailable', 'The workspace cannot be reached just now', {
      hint: 'Ask again; whether a call was carried out is not known',
      headers: { 'retry-after': '1' },
    })
  }
}
