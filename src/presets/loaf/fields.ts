import { type Args, numberOf, stringOf } from '../shared/seed-schema.js'

/** A whole number, rounded down; the default for anything but a number. */
export function wholeOf(args: Args, name: string, byDefault: number): number {
  return Math.floor(numberOf(args, name) ?? byDefault)
}

/** A whole number, brought into the range. */
export function clampedOf(
  args: Args,
  name: string,
  { byDefault, min, max }: Readonly<Record<'byDefault' | 'min' | 'max', number>>,
): number {
  return Math.min(max, Math.max(min, wholeOf(args, name, byDefault)))
}

/** A whole number of at least one, brought into the range; the default for zero, less, and anything but a number. */
export function positiveOf<Default extends number | undefined>(
  args: Args,
  name: string,
  { byDefault, min, max }: { readonly byDefault: Default; readonly min: number; readonly max: number },
): number | Default {
  const given = numberOf(args, name) ?? 0
  return given > 0 ? Math.min(max, Math.max(min, Math.floor(given))) : byDefault
}

/** Text without white space around it; undefined where nothing is left. */
export function trimmedOf(args: Args, name: string): string | undefined {
  return stringOf(args, name)?.trim() || undefined
}
