import type { ToolResult } from 'toolport'
import type { Agent, Session } from '../session.js'
import type { PatchField } from './patch-field.js'

export type Input = Readonly<Record<string, unknown>>

/** The result of a dry run at a certain revision. */
export interface Preview {
  readonly preset: string
  readonly patch: string
  /** Revision of the workspace before the dry run. */
  readonly revision: number
  readonly result: ToolResult
  /** Whether the standard tool made the dry run, because the chosen tool does not support one. */
  readonly byStandard: boolean
  /** Whether the tool applies files one by one: files before a failure would stay changed. */
  readonly inSteps: boolean
}

export interface Rehearsal {
  readonly session: Session
  readonly agent: Agent
  readonly field: PatchField
  readonly input: Input
  readonly revision: number
  readonly signal: AbortSignal
}

/** Makes a dry run of the patch. Never rejects. */
export async function rehearse({ session, agent, field, input, revision, signal }: Rehearsal): Promise<Preview> {
  const patch = patchText(input, field)
  const runtime = field.canDryRun ? agent.runtime : session.fresh()
  const call = { name: 'apply_patch', input: field.canDryRun ? { ...input, dry_run: true } : { patch, dry_run: true } }
  const result = await runtime.execute(call, { signal })
  return {
    preset: agent.preset,
    patch,
    revision,
    result,
    byStandard: !field.canDryRun,
    inSteps: input.atomic === false || !field.canDryRun,
  }
}

export function patchText(input: Input, { name }: PatchField): string {
  const text = input[name]
  return typeof text === 'string' ? text : ''
}

/** The same input without `dry_run`. */
export function inEarnest({ dry_run: _, ...input }: Input): Input {
  return input
}
