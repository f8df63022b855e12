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

/** Text without white space around it; undefined where nothing is left. */
export function trimmedOf(args: Args, name: string): string | undefined {
  return stringOf(args, name)?.trim() || undefined
}
