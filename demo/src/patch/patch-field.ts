import type { ManifestEntry } from 'toolport'

/** How a tool takes a patch. */
export interface PatchField {
  /** The field with the text. */
  readonly name: string
  /** It shows the change itself, without making it; else our own `apply_patch` has to. */
  readonly canDryRun: boolean
}

/** Undefined for a tool that takes none. */
export function patchFieldOf({ name, inputSchema }: ManifestEntry): PatchField | undefined {
  if (name !== 'apply_patch') return undefined
  const { properties } = inputSchema
  if (typeof properties !== 'object' || properties === null) return undefined
  const field = ['patch', 'input'].find((one) => Object.hasOwn(properties, one))
  return field === undefined ? undefined : { name: field, canDryRun: Object.hasOwn(properties, 'dry_run') }
}
