import type { ShellProcess } from '../../../types/shell.js'

/**
 * A call that ends early takes the start with it, but not what has been started. `session`: the signal that goes on.
 *
 * @throws the reason of the call's signal; what `spawn` rejects with
 */
export async function spawnWithin(
  call: AbortSignal,
  spawn: (signal: AbortSignal) => Promise<ShellProcess>,
  session: AbortSignal,
): Promise<ShellProcess> {
  const starting = new AbortController()
  const abort = (): void => starting.abort(call.reason)
  call.addEventListener('abort', abort, { once: true })
  try {
    call.throwIfAborted()
    const process = await spawn(AbortSignal.any([session, starting.signal]))
    if (call.aborted) void process.kill('SIGKILL').catch(() => {})
    call.throwIfAborted()
    return process
  } finally {
    call.removeEventListener('abort', abort)
  }
}
