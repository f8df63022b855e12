import { type ToolResult, type ToolRuntime, toModelText } from 'toolport'
import { createBrowserRuntime } from 'toolport/browser'
import { createTestHost } from 'toolport/testing'
import type { FsAdapter } from '../../../src/types/fs.js'
import { CHECKPOINT, type Need, type Output, type ScriptPart } from './call.js'

const MIB = 1024 * 1024

export interface Answer {
  readonly call: string
  /** The result with its output or error, and its model view. */
  readonly answer: string
}

export interface Ran {
  readonly title: string
  readonly answers: readonly Answer[]
  /** SHA-256 of all answers. */
  readonly digest: string
}

/** The parts of the script that this storage supports. */
export function partsFor(fs: FsAdapter, parts: readonly ScriptPart[]): ScriptPart[] {
  const has: Readonly<Record<Need, boolean>> = {
    symlink: fs.symlink !== undefined,
    mode: fs.can.mode && fs.setMeta !== undefined,
    time: fs.setMeta !== undefined,
  }
  return parts.filter(({ needs }) => needs.every((need) => has[need]))
}

/** Title of the last part: all files at the end, with their bytes. */
export const TREE = 'the tree in the end'

/** Runs the parts one after the other on one runtime with a stopped clock, and disposes the runtime. */
export async function runScript(fs: FsAdapter, parts: readonly ScriptPart[]): Promise<Ran[]> {
  const quotas = { bytes: 8 * MIB, files: 1000, fileBytes: 4 * MIB }
  const runtime = createBrowserRuntime({ storage: fs, root: '/workspace', host: createTestHost(), quotas })
  const ran: Ran[] = []
  let last: Output = {}
  for (const { title, calls } of parts) {
    const answers: Answer[] = []
    for (const { name, input } of calls) {
      const call = { id: `${title} ${answers.length}`, name, input: typeof input === 'function' ? input(last) : input }
      const result = name === CHECKPOINT ? await keep(runtime, call.input) : await runtime.execute(call)
      last = typeof result.output === 'object' && result.output !== null ? (result.output as Output) : {}
      answers.push({ call: JSON.stringify(call).slice(0, 400), answer: JSON.stringify([result, toModelText(result)]) })
    }
    ran.push({ title, answers, digest: await digestOf(answers.map(({ answer }) => answer)) })
  }
  const files = Object.entries(await runtime.workspace.files())
  const tree = files.map(([path, content]) => ({
    call: path,
    answer: JSON.stringify(typeof content === 'string' ? content : [...content]),
  }))
  ran.push({ title: TREE, answers: tree, digest: await digestOf(tree.flatMap(({ call, answer }) => [call, answer])) })
  await runtime.dispose()
  return ran
}

async function keep({ workspace }: ToolRuntime, input: unknown): Promise<ToolResult> {
  const { id, label, time } = await workspace.checkpoint(input as { label: string })
  return { ok: true, output: { id, label, time } }
}

async function digestOf(lines: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(lines.join('\n'))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
