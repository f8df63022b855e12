import { it } from 'vitest'
import type { TestRunner } from '../contract/index.js'

/** Registers the cases whose titles match. The others run in the deep tier. */
export const only =
  (titles: RegExp, register: TestRunner['it'] = it): TestRunner['it'] =>
  (title, test) => {
    if (titles.test(title)) register(title, test)
  }

/** A table of programs, or its first, which stands for its kind. */
export function kindsOf<T>(table: Readonly<Record<string, T>>, whole: boolean): [kind: string, program: T][] {
  const all = Object.entries(table)
  return whole ? all : all.slice(0, 1)
}
