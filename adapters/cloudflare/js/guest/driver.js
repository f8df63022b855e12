// The event loop of a program. It runs callbacks in the same order as Node.

/**
 * How many more turns the loop takes before an idle program counts as ended, so that work of the Worker itself (streams, compression) can
 * finish.
 */
const GRACE = 3

export async function drive({ job, state, line, later, control, natives, entry }) {
  let inputClosed = job.stdin.closed
  const call = (operation, text, bytes, ...values) => {
    if (state.ended) return undefined
    try {
      return control(operation, text, bytes, ...values)
    } catch (error) {
      // Ignore the error, because the program ended during this call.
      if (state.ended) return undefined
      throw error
    }
  }
  /** Sends output and calls to the host, and runs all promise jobs. */
  const jobs = async () => {
    await line.pump()
    await natives.turn()
  }
  const drain = async (jobsFirst = false) => {
    if (jobsFirst) await jobs()
    for (;;) {
      const ticked = call('ticks') === true
      await jobs()
      if (state.ended) return
      if (ticked) continue
      const rejections = state.rejections.splice(0)
      if (rejections.length === 0) return
      for (const { promise, reason } of rejections) call('unhandled', undefined, undefined, promise, reason)
    }
  }
  const due = () => {
    const text = call('due')
    return typeof text === 'string' ? JSON.parse(text) : { ms: -1, immediate: false, alive: false }
  }
  const handle = (events) => {
    for (const event of events) {
      if ('stop' in event) {
        state.stopped ??= event.stop
        state.ended = true
      } else if ('signal' in event) call('signal', event.signal)
      else {
        if (event.input === null) inputClosed = true
        call('stdin', JSON.stringify(event.input))
      }
    }
  }
  const waited = async (ms) => {
    await new Promise((resolve) => {
      const timer = ms >= 0 ? natives.setTimeout(resolve, Math.min(Math.ceil(ms), 2 ** 31 - 1)) : undefined
      const wake = () => {
        natives.clearTimeout(timer)
        resolve()
      }
      later.onSettled(wake)
      line.onEvent(wake)
    })
    later.onSettled(undefined)
    line.onEvent(undefined)
  }

  call('main', JSON.stringify(entry))
  await drain(entry.kind === 'module')
  let idle = 0
  for (;;) {
    while (!state.ended && call('timer') === true) await drain()
    for (const { text, bytes } of later.settled()) {
      call('settle', text, bytes && exact(bytes))
      await drain()
    }
    if (due().immediate) {
      let more = true
      while (more && !state.ended) {
        more = call('immediate') === true
        await drain()
      }
    }
    const events = line.takeEvents()
    handle(events)
    await drain()
    if (state.ended) return undefined
    const next = due()
    const busy = next.alive || later.pending > 0 || (state.wantsInput && !inputClosed) || natives.pending() > 0
    if (busy) idle = 0
    else if (!later.hasSettled && ++idle > GRACE) {
      call('beforeExit')
      await drain()
      if (state.ended) return undefined
      if (!due().alive && later.pending === 0 && !later.hasSettled) break
      continue
    }
    if (next.immediate || later.hasSettled || line.hasEvents) continue
    if (next.ms === 0 || !busy) await natives.wait(0)
    else await waited(natives.pending() > 0 ? 1 : next.ms)
  }
  if (call('unsettled') === '1') {
    line.write('stderr', `Warning: Detected unsettled top-level await at ${entry.path}\n`)
    state.exitCode ??= 13
    return undefined
  }
  const result = call('result')
  const code = call('exit')
  if (!state.ended) state.exitCode = Number(code)
  return typeof result === 'string' && result !== '' && state.exitCode === 0 ? result : undefined
}

const exact = (bytes) => (bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer)
