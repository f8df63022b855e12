// The reporter of the tests: writes the report that `npm run test:slow` prints and `.ci/run` counts. As a program, prints the slowest
// tests: `node scripts/test-report.mjs [rows]`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @import { Reporter, TestModule } from 'vitest/node' */

/**
 * @typedef {object} FileReport
 * @property {string} project `node`, `chromium` or `workerd`.
 * @property {string} file Relative to the root of the repository.
 * @property {'passed' | 'failed' | 'skipped'} state
 * @property {number} imports Milliseconds until its tests were known.
 * @property {number} tests Milliseconds of its tests and hooks.
 * @property {{ name: string, state: string, ms: number }[]} cases
 *
 * @typedef {object} Report
 * @property {number} wall Milliseconds of the whole run.
 * @property {number} errors Errors outside of any test.
 * @property {FileReport[]} files
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const path = resolve(root, '.cache/tests.json')

/** @returns {Report} the report of the last run. @throws if no report exists */
export function readReport() {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** @implements {Reporter} */
export default class TestReport {
  #start = Date.now()

  /** @type {NonNullable<Reporter['onTestRunStart']>} */
  onTestRunStart() {
    this.#start = Date.now()
  }

  /** @type {NonNullable<Reporter['onTestRunEnd']>} */
  onTestRunEnd(modules, errors) {
    /** @type {Report} */
    const report = { wall: Date.now() - this.#start, errors: errors.length, files: modules.map(fileReport) }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(report))
  }
}

/** @param {TestModule} module @returns {FileReport} */
function fileReport(module) {
  const { collectDuration, prepareDuration, environmentSetupDuration, setupDuration, duration } = module.diagnostic()
  const cases = [...module.children.allTests()].map((test) => ({
    name: test.fullName,
    state: test.result().state,
    ms: Math.round(test.diagnostic()?.duration ?? 0),
  }))
  return {
    // Vitest adds the browser: `chromium (chromium)`.
    project: module.project.name.replace(/ \(.*/, ''),
    file: relative(root, module.moduleId),
    state: module.ok() ? (cases.some(({ state }) => state === 'passed') ? 'passed' : 'skipped') : 'failed',
    imports: Math.round(collectDuration + prepareDuration + environmentSetupDuration + setupDuration),
    tests: Math.round(duration),
    cases,
  }
}

/** @param {Report} report @param {number} rows */
function printSlowest({ wall, files }, rows) {
  const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1).padStart(7)} s`
  const slowest = (/** @type {{ ms: number, name: string }[]} */ all) => all.sort((a, b) => b.ms - a.ms).slice(0, rows)
  for (const project of new Set(files.map((file) => file.project))) {
    const own = files.filter((file) => file.project === project)
    const sum = (/** @type {'imports' | 'tests'} */ part) => own.reduce((total, file) => total + file[part], 0)
    console.log(`${project}: ${own.length} files, imports ${seconds(sum('imports')).trim()}, tests ${seconds(sum('tests')).trim()}`)
  }
  console.log(`whole run ${seconds(wall).trim()}\n\nSlowest files (imports and tests):`)
  for (const { ms, name } of slowest(
    files.map((file) => ({ ms: file.imports + file.tests, name: `${file.project.padEnd(8)} ${file.file}` })),
  ))
    console.log(`${seconds(ms)}  ${name}`)
  console.log('\nSlowest tests:')
  const tests = files.flatMap((file) =>
    file.cases.map(({ ms, name }) => ({ ms, name: `${file.project.padEnd(8)} ${file.file} > ${name}` })),
  )
  for (const { ms, name } of slowest(tests)) console.log(`${seconds(ms)}  ${name}`)
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const rows = Number(process.argv[2] ?? 25)
  if (!Number.isInteger(rows) || rows < 1) throw new Error(`"${process.argv[2]}" is not a number of rows`)
  if (!existsSync(path)) throw new Error('No run of the tests has ended yet: npm test')
  printSlowest(readReport(), rows)
}
