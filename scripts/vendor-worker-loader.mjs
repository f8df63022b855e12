// Builds the main module of the dynamic Workers that run programs (adapters/cloudflare/js), as text: dist/vendor/worker-guest.js. It has
// the guest environment of the quickjs adapter, but uses Node's modules of the Workers runtime where they exist.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const SHARED = 'adapters/quickjs'
const GUEST = `${SHARED}/guest`
const BUILTINS = `${GUEST}/builtins`
const OWN = 'adapters/cloudflare/js/guest'
const file = `${root}dist/vendor/worker-guest.js`
const require = createRequire(import.meta.url)

/** @param {string} folder @param {string} end */
const sources = (folder, end) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()

/** Node's modules that the Workers runtime has. */
const NATIVE = [
  ...(/natives = \{\n([\s\S]*?)\n\}/.exec(readFileSync(`${root}${OWN}/natives.js`, 'utf8'))?.[1] ?? '').matchAll(/^ {2}'?([a-z_/]+)'?:/gm),
].map(([, name]) => name ?? '')

/** Parts of the guest environment that the Workers runtime has as globals. */
const GLOBALS = ['internal/web', 'internal/streams', 'internal/form', 'internal/body', 'internal/fflate']

/** Modules of the Workers runtime that are extended with parts of this library (`world.js`). */
const MIXED = ['util']

/** @typedef {import('esbuild').Plugin} Plugin */

/** @param {string[]} names @returns {Plugin} */
const externals = (names) => ({
  name: 'externals',
  setup(builder) {
    builder.onResolve({ filter: /^[a-z_/]+$/ }, ({ path }) => (names.includes(path) ? { path, external: true } : undefined))
  },
})

/** @param {Record<string, string>} virtual @returns {Plugin} */
const parts = (virtual) => ({
  name: 'parts',
  setup(builder) {
    builder.onResolve({ filter: /^#/ }, ({ path }) => (path in virtual ? { path, namespace: 'virtual' } : undefined))
    builder.onLoad({ filter: /./, namespace: 'virtual' }, ({ path }) => ({ contents: virtual[path] ?? '', resolveDir: root, loader: 'js' }))
    // V8's stack traces already have Node's format, so there is nothing to install.
    builder.onLoad({ filter: /guest\/errors\.cjs$/ }, () => ({ contents: 'exports.installErrors = () => {}' }))
    builder.onResolve({ filter: /^events$/ }, () => ({ path: '#events', namespace: 'virtual' }))
    builder.onResolve({ filter: /^(cloudflare|node):|^\.\/require\.cjs$/ }, ({ path }) => ({ path, external: true }))
  },
})

/** @param {import('esbuild').BuildOptions} options */
async function text(options) {
  const { outputFiles } = await build({
    bundle: true,
    minify: true,
    keepNames: true,
    write: false,
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['main'],
    logLevel: 'error',
    absWorkingDir: root,
    ...options,
  })
  return outputFiles?.[0]?.text ?? ''
}

/** Node's modules that this library implements, as functions of `exports, require, module, internal`. */
async function ownModules() {
  const names = sources(BUILTINS, '.cjs').map((name) => name.slice(0, -'.cjs'.length))
  const wanted = names.filter((name) => !NATIVE.includes(name) && !GLOBALS.includes(name))
  const all = [...names, ...NATIVE, 'events', 'process', 'timers']
  const bodies = []
  for (const name of wanted) {
    const external = all.filter((other) => other !== name)
    const code = await text({
      entryPoints: [`${root}${posix.join(BUILTINS, `${name}.cjs`)}`],
      format: 'cjs',
      plugins: [externals(external)],
    })
    bodies.push(/** @type {const} */ ([name, `function(exports,require,module,internal){${code}\n}`]))
  }
  return bodies
}

/** @param {readonly (readonly [string, string])[]} bodies */
async function bootText(bodies) {
  return text({
    entryPoints: [`${root}${OWN}/boot.js`],
    format: 'esm',
    inject: [`${root}${OWN}/own.js`],
    banner: { js: 'class InternalError extends RangeError{}' },
    plugins: [
      parts({
        '#core': `export { boot, WEB } from './${GUEST}/core.cjs'`,
        '#events': `module.exports = require('#natives').events`,
        '#natives': `import events from 'node:events'; export { events }`,
        '#parts': `export { createFiles } from './${SHARED}/fs/files.ts'; export { createLater } from './${SHARED}/vm/async-calls.ts'; export { failed } from './${SHARED}/answer.ts'; export { createMemoryBudget } from './${SHARED}/memory-budget.ts'`,
        '#builtins': `export const builtins = {${bodies.map(([name, body]) => `${JSON.stringify(name)}: ${body}`).join(',')}}`,
      }),
    ],
  })
}

/**
 * The names that each of our Node modules exports. Evaluates the modules once here.
 *
 * @param {readonly (readonly [string, string])[]} bodies
 */
async function namesOf(bodies) {
  const core = await text({
    entryPoints: [`${root}${GUEST}/core.cjs`],
    format: 'iife',
    globalName: 'core',
    banner: { js: 'class InternalError extends RangeError{}' },
    plugins: [parts({ '#events': 'module.exports = toolportNatives.events' })],
  })
  const natives = Object.fromEntries(NATIVE.map((name) => [name, require(`node:${name}`)]))
  const names = ['URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'structuredClone', 'Event', 'EventTarget', 'AbortController']
  const all = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (globalThis))
  const web = Object.fromEntries([...names, 'AbortSignal', 'DOMException', 'performance'].map((name) => [name, all[name]]))
  const streams = require('node:stream/web')
  const context = createContext({
    toolportNatives: natives,
    ...web,
    ...streams,
    MessageChannel,
    MessagePort,
    Blob,
    File,
    FormData,
    Headers,
    Request,
    Response,
  })
  const made = runInContext(`({${bodies.map(([name, body]) => `${JSON.stringify(name)}: ${body}`).join(',')}})`, context)
  const listed = [...bodies.map(([name]) => name).filter((name) => !name.startsWith('internal/')), 'process', 'timers']
  /** @param {unknown} exports */
  const gives = (exports) => (/** @type {unknown} */ _, /** @type {unknown} */ __, /** @type {{ exports: unknown }} */ module) => {
    module.exports = exports
  }
  /** @param {string} operation @param {string} name */
  const call = (operation, name) => {
    if (operation === 'clock' || operation === 'memory') return '0'
    if (operation !== 'builtin') return undefined
    if (name === 'internal/web') return gives(web)
    return natives[name] ? gives(natives[name]) : made[name]
  }
  const settings = {
    argv: ['node'],
    env: {},
    cwd: '/',
    root: '/',
    now: 0,
    seed: [1, 2, 3, 4],
    stdin: { text: '', closed: true },
    builtins: listed,
    version: 'v20.20.0',
  }
  const start = runInContext(`${core};core.boot`, context)
  const control = start(
    call,
    () => 'pending',
    () => undefined,
    JSON.stringify(settings),
  )
  return Object.fromEntries(listed.map((name) => [name, String(control('names', name)).split(',').filter(Boolean)]))
}

function stampOf() {
  const hash = createHash('sha256')
  const read = [
    ...sources(GUEST, '.cjs').map((name) => `${GUEST}/${name}`),
    ...sources(OWN, '.js').map((name) => `${OWN}/${name}`),
    ...sources(`${SHARED}/fs`, '.ts').map((name) => `${SHARED}/fs/${name}`),
    `${SHARED}/vm/async-calls.ts`,
    `${SHARED}/answer.ts`,
    `${SHARED}/memory-budget.ts`,
    'adapters/shared/js/parsed.ts',
    'package-lock.json',
    'scripts/vendor-worker-loader.mjs',
  ]
  for (const path of read) hash.update(path).update(readFileSync(`${root}${path}`))
  return hash.digest('hex')
}

/** Builds the file unless it is up to date. The folder must exist. */
export async function vendorWorkerLoader() {
  const banner = `/* The guest environment of the Worker Loader adapter. ${stampOf()} */`
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(banner)) return
  const unknown = NATIVE.filter((name) => !builtinModules.includes(name))
  if (NATIVE.length === 0 || unknown.length > 0) throw new Error(`vendor: natives.js names no modules of Node: ${unknown.join()}`)
  const bodies = await ownModules()
  const names = await namesOf(bodies)
  const content = [
    `export const boot = ${JSON.stringify(await bootText(bodies))}`,
    `export const natives = ${JSON.stringify(NATIVE.filter((name) => !MIXED.includes(name)))}`,
    `export const names = ${JSON.stringify({ ...names, ...Object.fromEntries(MIXED.map((name) => [name, Object.keys(require(`node:${name}`))])) })}`,
  ].join('\n')
  writeFileSync(`${file}.new`, `${banner}\n${content}\n`)
  renameSync(`${file}.new`, file)
  console.log('vendor: the guest environment in dist/vendor/worker-guest.js')
}
