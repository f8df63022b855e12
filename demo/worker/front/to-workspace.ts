import type { Env } from '../env.js'
import { unauthorized } from '../http/errors.js'
import { credentialOf } from '../http/token.js'
import { ask } from './ask.js'
import type { Guards } from './guards.js'

/**
 * Forwards the request to the workspace's Durable Object, which checks the token. The namespace only accepts ids that it issued, so an
 * invented id starts no object.
 *
 * @throws {HttpError} unauthorized, too_many_requests, unavailable
 */
export async function toWorkspace(
  request: Request,
  { id, key: previewKey }: { readonly id: string; readonly key?: string },
  env: Env,
  guards: Guards,
  address: string,
): Promise<Response> {
  const known = idOf(id, env)
  // Uses the namespace's canonical form, because one id has several spellings.
  const key = known ? `${address} ${known.toString()}` : address
  const credential = credentialOf(request, previewKey)
  const workspace = known && Object.keys(credential).length > 0 ? env.WORKSPACES.get(known) : undefined
  const forward = async (): Promise<Response | undefined> =>
    workspace && ask(() => workspace.fetch(request), 'Ask again; whether a call was carried out is not known')
  const response = await guards.attempt(key, env, {
    check: forward,
    isWrong: (answer) => answer === undefined || answer.status === 401,
    isRight: async () => workspace !== undefined && (await workspace.isRight(credential)),
  })
  if (!response) throw unauthorized()
  return response
}

function idOf(id: string, { WORKSPACES }: Env): DurableObjectId | undefined {
  try {
    return WORKSPACES.idFromString(id)
  } catch {
    return undefined
  }
}
