import type { ToolResult } from 'toolport'
import type { Agent, Session } from '../session.js'
import type { PatchField } from './patch-field.js'

export type Input = Readonly<Record<string, unknown>>

/** What a patch would do, as it was found out at one moment. */
export interface Preview {
  readonly preset: string
  readonly patch: string
  /** Of the workspace, before the patch was tried. */
  readonly revision: number
  readonly result: ToolResult
  /** Tried by the standard tool, in place of one that cannot say what it would do. */
  readonly byStandard: boolean
  /** One file is applied after another: what comes before a failure would stay. */
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

/** Tries the patch without changing anything. Never rejects. */
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

/** The same call, but not a dry run. */
export function inEarnest({ dry_run: _, ...input }: Input): Input {
  return input
}
