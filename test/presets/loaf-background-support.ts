import type { Loaf, LoafToolResult } from 'toolport/presets/loaf'
import { expect } from 'vitest'

/** A tool's result, whose fields tests read. */
// biome-ignore lint/suspicious/noExplicitAny: each tool has fields of its own.
export type Answered = LoafToolResult<any>

/** An instance, with helpers. */
export interface Background {
  readonly loaf: Loaf
  readonly call: (name: string, input: unknown, context?: { readonly signal?: AbortSignal }) => Promise<Answered>
  /** Starts a session that runs this on a pipe, and returns its id. */
  readonly start: (command: string, input?: object) => Promise<string>
  /** Reads until the output contains `text`. Returns everything that was read from both streams. */
  readonly until: (id: string, text: string) => Promise<{ readonly stdout: string; readonly stderr: string }>
  /** Waits for the end of a session, and returns the output of the last read. */
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
