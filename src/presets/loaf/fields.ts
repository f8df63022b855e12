import { type Args, numberOf, stringOf } from '../shared/seed-schema.js'

/** An integer, rounded down; the default for anything but a number. */
export function wholeOf(args: Args, name: string, byDefault: number): number {
  return Math.floor(numberOf(args, name) ?? byDefault)
}

/** An integer, clamped to the range. */
export function clampedOf(
  args: Args,
  name: string,
  { byDefault, min, max }: Readonly<Record<'byDefault' | 'min' | 'max', number>>,
): number {
  return Math.min(max, Math.max(min, wholeOf(args, name, byDefault)))
}

/** A positive integer, clamped to the range; the default for zero, negative numbers, and anything but a number. */
export function positiveOf<Default extends number | undefined>(
  args: Args,
  name: string,
  { byDefault, min, max }: { readonly byDefault: Default; readonly min: number; readonly max: number },
): number | Default {
  const given = numberOf(args, name) ?? 0
  return given > 0 ? Math.min(max, Math.max(min, Math.floor(given))) : byDefault
}

/** Text without surrounding white space; undefined if it is empty. */
export function trimmedOf(args: Args, name: string): string | undefined {
  return stringOf(args, name)?.trim() || undefined
}
