// The main module of a dynamic Worker. Each Worker runs only one program.
import { WorkerEntrypoint } from 'cloudflare:workers'
import { createCalls } from './calls.js'
import { drive } from './driver.js'
import { createLine } from './line.js'
import { createModules } from './modules.js'
import { closeWays, openWorld } from './world.js'

/** Maximum number of characters of the result: a call can carry 32 MiB, and a character takes two bytes. */
const MAX_RESULT = 16_000_000
const natives = closeWays()
let begun = false

export default class extends WorkerEntrypoint {
  /**
   * @param host functions of the host that the guest calls (`HostSide` in `job.ts`)
   * @param job the start parameters of the program
   */
  async run(host, job) {
    if (begun) throw new Error('this Worker has run its program')
    begun = true
    const snapshot = job.files ? await readSnapshot(host, job.files) : undefined
    const began = natives.performance.now()
    const clock = () => job.now + (natives.performance.now() - began)
    const state = { ended: false, exitCode: undefined, signal: undefined, stopped: undefined, wantsInput: false, rejections: [] }
    natives.listen(state)
    const line = createLine(host)
    const modules = createModules(job)
    const calls = createCalls({ job, snapshot, state, line, modules, clock })
    const control = openWorld({ job, state, calls, modules, natives, clock })
    const result = await drive({ job, state, line, later: calls.later, control, natives, entry: modules.entry })
    const tooLong = result !== undefined && result.length > MAX_RESULT
    if (tooLong) {
      line.write(
        'stderr',
        `The default export is not handed over: it has ${result.length} characters as JSON, and ${MAX_RESULT} at the most can be handed over\n`,
      )
    }
    const changes = state.stopped || state.signal ? [] : (calls.files?.changes() ?? [])
    await line.flush()
    await sendChanges(host, changes)
    const { exitCode, signal, stopped } = state
    return { exitCode, signal, stopped, result: tooLong ? undefined : result }
  }
}

/** Reads the snapshot in pieces, because a call can carry only 32 MiB. */
async function readSnapshot(host, { root, cut, pieces }) {
  const entries = []
  for (let at = 0; at < pieces; at++) {
    for (const entry of await host.files(at)) {
      const last = entries.at(-1)
      if (entry.goesOn) last.bytes = joined(last.bytes, entry.bytes)
      else entries.push(entry)
    }
  }
  return { root, cut, entries }
}

function joined(first, second) {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

const PIECE = 8 * 2 ** 20

async function sendChanges(host, changes) {
  let batch = []
  let size = 0
  const send = async () => {
    if (batch.length > 0) await host.change(batch)
    batch = []
    size = 0
  }
  for (const change of changes) {
    const bytes = change.bytes
    if (!bytes || bytes.length <= PIECE) {
      if (size + (bytes?.length ?? 0) > PIECE || batch.length >= 1000) await send()
      batch.push(change)
      size += bytes?.length ?? 0
      continue
    }
    await send()
    for (let at = 0; at < bytes.length; at += PIECE) {
      batch.push({ ...change, bytes: bytes.slice(at, at + PIECE), ...(at > 0 && { goesOn: true }) })
      await send()
    }
  }
  await send()
}
