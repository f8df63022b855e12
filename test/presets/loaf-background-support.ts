import type { Loaf, LoafToolResult } from 'toolport/presets/loaf'
import { expect } from 'vitest'

/** What a tool answered. Tests read fields of it. */
// biome-ignore lint/suspicious/noExplicitAny: each tool has fields of its own.
export type Answered = LoafToolResult<any>

/** An instance, and short ways to use it. */
export interface Background {
  readonly loaf: Loaf
  readonly call: (name: string, input: unknown, context?: { readonly signal?: AbortSignal }) => Promise<Answered>
  /** A session on a pipe that runs this; its id. */
  readonly start: (command: string, input?: object) => Promise<string>
  /** Reads until `text` was there; all that was read of both streams since then. */
  readonly until: (id: string, text: string) => Promise<{ readonly stdout: string; readonly stderr: string }>
  /** The last read of a session that has ended. */
  readonly ended: (id: string) => Promise<Answered['output']>
}

export function backgroundOf(loaf: Loaf): Background {
  const runtime = new loaf.ToolRuntime(loaf.defaultToolRegistry)
  const call: Background['call'] = (name, input, context) => runtime.execute({ id: 'c', name, input }, context)
  const peek = async (id: string): Promise<Answered['output']> =>
    (await call('read_background_bash', { session_id: id, peek: true, max_chars: 1 })).output
  return {
    loaf,
    call,
    async start(command, input = {}) {
      const { output, error } = await call('bash', { command, run_in_background: true, full_terminal: false, ...input })
      expect(error).toBeUndefined()
      return output.session_id
    },
    async until(id, text) {
      const all = { stdout: '', stderr: '' }
      await expect
        .poll(async () => {
          const { output } = await call('read_background_bash', { session_id: id })
          all.stdout += output.stdout
          all.stderr += output.stderr
          return `${all.stdout}\n${all.stderr}`
        })
        .toContain(text)
      return all
    },
    async ended(id) {
      await expect.poll(async () => (await peek(id)).running).toBe(false)
      return (await call('read_background_bash', { session_id: id, max_chars: 120_000 })).output
    },
  }
}
