import type { ManifestEntry } from 'toolport'

/** How a tool takes a patch. */
export interface PatchField {
  /** Name of the field with the patch text. */
  readonly name: string
  /** Whether the tool supports a dry run. If not, the standard `apply_patch` is used. */
  readonly canDryRun: boolean
}

/** Undefined for tools that take no patch. */
export function patchFieldOf({ name, inputSchema }: ManifestEntry): PatchField | undefined {
  if (name !== 'apply_patch') return undefined
  const { properties } = inputSchema
  if (typeof properties !== 'object' || properties === null) return undefined
  const field = ['patch', 'input'].find((one) => Object.hasOwn(properties, one))
  return field === undefined ? undefined : { name: field, canDryRun: Object.hasOwn(properties, 'dry_run') }
}
