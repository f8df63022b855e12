// Derives the runtimes of a test file from its name: `name[.runtime | .everywhere][.deep].test.ts` (CONTRIBUTING.md).

/** @typedef {'node' | 'chromium' | 'workerd'} Runtime */

/** @type {readonly Runtime[]} */
export const RUNTIMES = ['node', 'chromium', 'workerd']

/**
 * The runtimes of a test file in each tier. The deep tier repeats pure tests, which the default tier runs in Node alone.
 *
 * @param {string} file
 * @returns {{ readonly test: readonly Runtime[], readonly deep: readonly Runtime[] }}
 */
export function runsOf(file) {
  const [, where, deep] = /(?:\.(node|chromium|workerd|everywhere))?(\.deep)?\.test\.ts$/.exec(file) ?? []
  const all = where === undefined || where === 'everywhere' ? RUNTIMES : RUNTIMES.filter((runtime) => runtime === where)
  if (deep) return { test: [], deep: all }
  return where === undefined ? { test: ['node'], deep: ['chromium', 'workerd'] } : { test: all, deep: [] }
}

/** A test file's name without its runtime and tier. @param {string} file */
export const nameOf = (file) => file.replace(/(\.(node|chromium|workerd|everywhere))?(\.deep)?\.test\.ts$/, '')

/** Names of the runtimes in documents. @type {Readonly<Record<Runtime, string>>} */
export const TITLES = { node: 'Node', chromium: 'Chromium', workerd: 'workerd' }

/** Names of all runtimes of a test file, in either tier. @param {string} file */
export function titlesOf(file) {
  const { test, deep } = runsOf(file)
  return RUNTIMES.filter((runtime) => test.includes(runtime) || deep.includes(runtime)).map((runtime) => TITLES[runtime])
}
