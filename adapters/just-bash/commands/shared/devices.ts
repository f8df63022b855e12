import type { CommandContext } from './command.js'
import { Failure } from './failure.js'
import { hostOf, Pace } from './pace.js'

const DEVICES: ReadonlySet<string | undefined> = new Set(['/dev/zero', '/dev/urandom', '/dev/random'])
export const isDevice = (name: string | undefined): name is string => DEVICES.has(name)

const MAX_DEVICE = 64 * 1024 * 1024
/** Number of bytes to process between two checks whether to yield to the event loop. */
const TURN = 4096

/**
 * Returns bytes of `/dev/zero` and `/dev/urandom`, which do not exist as files. Returns undefined for other names.
 *
 * @param count number of bytes; undefined is rejected, because the file would never end
 * @param option name of the option that sets the count, for the message
 * @throws {Failure}
 */
export async function deviceBytes(
  context: CommandContext,
  name: string | undefined,
  count: number | undefined,
  option: string,
): Promise<Uint8Array | undefined> {
  if (!isDevice(name)) return undefined
  if (count === undefined) throw new Failure(`error reading '${name}': it has no end, give ${option}`)
  if (count > MAX_DEVICE) throw new Failure(`at most ${MAX_DEVICE} bytes of ${name} can be read: give a lower ${option}`)
  const bytes = new Uint8Array(count)
  if (name === '/dev/zero') return bytes
  const { random } = hostOf(context)
  const pace = new Pace(context)
  for (let i = 0; i < count; i++) {
    if (i % TURN === 0) await pace.turn(TURN >> 4)
    bytes[i] = Math.floor(random() * 256)
  }
  return bytes
}
