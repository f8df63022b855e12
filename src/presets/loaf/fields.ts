import { type Args, numberOf, stringOf } from '../shared/seed-schema.js'

/** Reads a number, rounded down; the default for any other value. */
export function wholeOf(args: Args, name: string, byDefault: number): number {
  return Math.floor(numberOf(args, name) ?? byDefault)
}

/** Reads an integer, clamped to the range. */
export function clampedOf(
  args: Args,
  name: string,
  { byDefault, min, max }: Readonly<Record<'byDefault' | 'min' | 'max', number>>,
): number {
  return Math.min(max, Math.max(min, wholeOf(args, name, byDefault)))
}

/** Reads a positive integer, clamped to the range; the default for zero, negative numbers, and values other than numbers. */
export function positiveOf<Default extends number | undefined>(
  args: Args,
  name: string,
  { byDefault, min, max }: { readonly byDefault: Default; readonly min: number; readonly max: number },
): number | Default {
  const given = numberOf(args, name) ?? 0
  return given > 0 ? Math.min(max, Math.max(min, Math.floor(given))) : byDefault
}

/** Reads text without surrounding white space; undefined if nothing is left. */
export function trimmedOf(args: Args, name: string): string | undefined {
  return stringOf(args, name)?.trim() || undefined
}
