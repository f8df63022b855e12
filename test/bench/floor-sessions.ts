// The floor of a background start: a zod/mini parse of the same input, and a process that does nothing.
import type { ShellAdapter, ShellProcess } from 'toolport'
import * as z from 'zod/mini'

const startInput = z.strictObject({ command: z.string(), run_in_background: z.boolean() })

/** Exits at once, so that the session table can drop it. */
const IDLE: ShellProcess = {
  transport: 'pipe',
  write: async () => {},
  kill: async () => {},
  exited: Promise.resolve({ exitCode: 0 }),
}

export const idleSpawn: NonNullable<ShellAdapter['spawn']> = async () => IDLE

export function bareStart(input: unknown): Promise<ShellProcess> {
  const { command } = startInput.parse(input)
  return idleSpawn(command)
}
