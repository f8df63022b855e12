import { it } from 'vitest'
import type { TestRunner } from '../contract/index.js'

/** Registers only the cases whose titles match. The deep tier runs the others. */
export const only =
  (titles: RegExp, register: TestRunner['it'] = it): TestRunner['it'] =>
  (title, test) => {
    if (titles.test(title)) register(title, test)
  }

/** All programs of a table, or without `whole` only the first. */
export function kindsOf<T>(table: Readonly<Record<string, T>>, whole: boolean): [kind: string, program: T][] {
  const all = Object.entries(table)
  return whole ? all : all.slice(0, 1)
}
