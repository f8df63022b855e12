// Installs real packages with the built-in installer into an in-memory workspace, from npm's configured registry, and runs each in the
// sandbox. Needs the build. Exits with 1 if anything fails. Prints no addresses, because the output may be kept.
import { execFileSync } from 'node:child_process'
import { createFetch } from '../dist/adapters/fetch/index.js'
import { createMemoryFs } from '../dist/adapters/memory/index.js'
import { createQuickJs } from '../dist/adapters/quickjs/index.js'
import { createWorkspace } from '../dist/src/index.js'
import { installPackages } from '../dist/src/packages/install/index.js'

/** @type {Record<string, { code: string; prints: string }>} package -> a program, and what it prints */
const USES = {
  'is-number': {
    code: 'import isNumber from "is-number"; console.log([5, "5e3", " ", "x", NaN].map((value) => isNumber(value)).join())',
    prints: 'true,true,false,false,false',
  },
  nanoid: {
    code: 'import { customAlphabet, nanoid } from "nanoid"; console.log(nanoid().length, /^[ab]{9}$/.test(customAlphabet("ab", 9)()), nanoid() === nanoid())',
    prints: '21 true false',
  },
  semver: {
    code: 'import semver from "semver"; console.log(semver.maxSatisfying(["1.2.3", "1.10.0", "2.0.0"], "^1"), semver.inc("1.2.3", "minor"))',
    prints: '1.10.0 1.3.0',
  },
  zod: {
    code: 'import * as z from "zod"; const { error } = z.object({ n: z.number(), t: z.string() }).safeParse({ n: "x" }); console.log(error.issues.map(({ path }) => path.join(".")).join())',
    prints: 'n,t',
  },
  'lodash-es': {
    code: 'import { chunk, groupBy } from "lodash-es"; console.log(JSON.stringify([chunk([1, 2, 3], 2), groupBy([6.1, 4.2, 6.3], Math.floor)]))',
    prints: '[[[1,2],[3]],{"4":[4.2],"6":[6.1,6.3]}]',
  },
  uuid: {
    code: 'import { v4, v5, validate, version } from "uuid"; console.log(version(v4()), validate(v4()), v5("hello.example", v5.DNS))',
    prints: '4 true 93cb7851-852e-51cc-b01c-117ac06e463b',
  },
  yaml: {
    code: 'import { parse, stringify } from "yaml"; const value = parse("a: &x 1\\nb: [*x, 2]\\n"); console.log(JSON.stringify(value), JSON.stringify(stringify(value)))',
    prints: '{"a":1,"b":[1,2]} "a: 1\\nb:\\n  - 1\\n  - 2\\n"',
  },
}

const configured = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
const registry = configured.endsWith('/') ? configured : `${configured}/`
const { origin, host } = new URL(registry)

/** Checks that the metadata of express and all its dependencies are available. */
const EXPRESS = {
  code: `
    import { maxSatisfying, satisfies } from "semver"
    const packument = async (name) => (await fetch(${JSON.stringify(registry)} + name.replace("/", "%2f"))).json()
    const { versions, "dist-tags": { latest } } = await packument("express")
    const needed = Object.entries(versions[latest].dependencies)
    let fits = needed.length > 5
    for (const [name, range] of needed) {
      const version = maxSatisfying(Object.keys((await packument(name)).versions), range)
      fits &&= version !== null && satisfies(version, range)
    }
    console.log(latest, fits)`,
  prints: /^\d+\.\d+\.\d+ true$/,
}

const fetch = createFetch({ origins: [origin], maxBytes: 64 * 1024 * 1024 })
const workspace = createWorkspace({ fs: createMemoryFs() })
const js = createQuickJs({ worker: false })(workspace)

/** @param {string} text */
const unnamed = (text) => text.replaceAll(registry, '<registry>/').replaceAll(host, '<registry>').trim().slice(0, 2000)

/**
 * @param {{ code: string; prints: string | RegExp }} use
 * @returns {Promise<string>} empty: as expected
 */
async function check({ code, prints }) {
  const { exitCode, stdout, stderr } = await js.run({ code, grants: { fs: 'read', fetch }, timeoutMs: 60_000 })
  const printed = stdout.trim()
  const fits = typeof prints === 'string' ? printed === prints : prints.test(printed)
  if (exitCode === 0 && stderr === '' && fits) return ''
  return unnamed(`exit code ${exitCode}, printed ${JSON.stringify(printed)}, expected ${prints}\n${stderr}`)
}

/** @param {(string | number)[]} cells */
const row = (...cells) =>
  console.log(cells.map((cell, at) => (at > 1 ? String(cell).padStart(9) : String(cell).padEnd(at === 0 ? 20 : 9))).join(' '))

try {
  const started = performance.now()
  const packages = Object.keys(USES)
  const report = await installPackages(workspace, { packages, fetch, registry })
  const { files, bytes, added } = report
  row('package', 'version', 'ms', 'result')
  row('(all installed)', `${added.length}`, Math.round(performance.now() - started), 'ok')
  /** @type {[string, string, { code: string; prints: string | RegExp }][]} */
  const uses = [
    ...report.requested.map(({ name, version }) => /** @type {[string, string, any]} */ ([name, version, USES[name]])),
    ['express, metadata', '', EXPRESS],
  ]
  for (const [name, version, use] of uses) {
    const from = performance.now()
    const problem = await check(use)
    row(name, version, Math.round(performance.now() - from), problem === '' ? 'ok' : 'FAILED')
    if (problem !== '') {
      console.log(problem)
      process.exitCode = 1
    }
  }
  console.log(`${files} files, ${bytes} bytes`)
} catch (error) {
  console.log(unnamed(error instanceof Error ? `${error.name}: ${error.message}` : String(error)))
  process.exitCode = 1
} finally {
  await js.close?.()
  await workspace.close()
}
