import { it } from 'vitest'
import type { TestRunner } from '../contract/index.js'

/** Registers the cases whose titles match. The others run in the deep tier. */
export const only =
  (titles: RegExp, register: TestRunner['it'] = it): TestRunner['it'] =>
  (title, test) => {
    if (titles.test(title)) register(title, test)
  }
