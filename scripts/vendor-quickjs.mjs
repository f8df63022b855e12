// Builds the guest environment of the quickjs adapter, as text for the engine: dist/vendor/quickjs-guest.js contains the core for every
// program, and Node's modules separately, for programs that import them. Also writes the patched engine (adapters/quickjs/engine/patch.ts):
// where WebAssembly must be a static import, it cannot be patched when it loads.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const GUEST = 'adapters/quickjs/guest'
const BUILTINS = `${GUEST}/builtins`
const ENGINE = 'adapters/quickjs/engine'
const PATCH = `${ENGINE}/patch.ts`
const WASM = 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm'
const file = `${root}dist/vendor/quickjs-guest.js`
const engine = `${root}dist/vendor/quickjs.wasm`

/** Packages that the guest environment contains. */
export const GUEST_PACKAGES = [
  '@noble/hashes',
  'base64-js',
  'buffer',
  'events',
  'fetch-blob',
  'fflate',
  'formdata-polyfill',
  'ieee754',
  'path-browserify',
  'process',
  'punycode',
  'readable-stream',
  'web-streams-polyfill',
]

/** @param {string} folder */
const sources = (folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cjs'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()

/** Leaves imports of Node's modules external: the guest loads them at run time. @param {string[]} names */
const withBuiltins = (names) =>
  /** @type {import('esbuild').Plugin} */ ({
    name: 'with-builtins',
    setup(builder) {
      builder.onResolve({ filter: /^[a-z_/]+$/ }, ({ path }) => (names.includes(path) ? { path, external: true } : undefined))
    },
  })

/** Drops fallbacks for web streams and `AbortController`, because the guest always has them. */
const withoutFallbacks = /** @type {import('esbuild').Plugin} */ ({
  name: 'without-fallbacks',
  setup(builder) {
    builder.onLoad({ filter: /\/(?:fetch-blob\/streams\.cjs|abort-controller\.js)$/ }, () => ({ contents: '' }))
  },
})

/** The used files of packages. Requiring a package itself would include all of its files. */
const PARTS = /** @type {Record<string, Record<string, string>>} */ ({
  fflate: {
    './node_modules/fflate/esm/browser.js':
      'decompressSync deflateSync gunzipSync gzipSync inflateSync unzlibSync zlibSync Decompress Deflate Gunzip Gzip Inflate Unzlib Zlib',
  },
  hash: {
    '@noble/hashes/hmac.js': 'hmac',
    '@noble/hashes/legacy.js': 'md5 ripemd160 sha1',
    '@noble/hashes/sha2.js': 'sha224 sha256 sha384 sha512',
  },
})
const withParts = /** @type {import('esbuild').Plugin} */ ({
  name: 'with-parts',
  setup(builder) {
    builder.onLoad({ filter: /builtins\/internal\/(?:fflate|hash)\.cjs$/ }, ({ path }) => {
      const parts = Object.entries(PARTS[posix.basename(path, '.cjs')] ?? {})
      const contents = parts.map(([from, names]) => `export { ${names.replaceAll(' ', ', ')} } from '${from}'`).join('\n')
      return { contents, loader: 'js', resolveDir: root }
    })
  },
})

/** @param {string} entry @param {string[]} names @param {import('esbuild').BuildOptions} options */
async function text(entry, names, options) {
  const { outputFiles } = await build({
    entryPoints: [`${root}${entry}`],
    bundle: true,
    minify: true,
    keepNames: true,
    write: false,
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['main'],
    conditions: ['require'],
    format: 'cjs',
    logLevel: 'error',
    plugins: [withBuiltins(names), withoutFallbacks, withParts],
    absWorkingDir: root,
    ...options,
  })
  return outputFiles?.[0]?.text ?? ''
}

/** Bundles the environment. Programs may replace the functions of `JSON`, so code that talks to the host uses the original ones. */
async function bundle() {
  const names = sources(BUILTINS).map((name) => name.slice(0, -'.cjs'.length))
  const core = await text(`${GUEST}/core.cjs`, [], { format: 'iife', globalName: 'core' })
  const own = [...names, 'events', 'process', 'timers']
  const modules = []
  for (const name of names)
    modules.push([
      name,
      await text(
        posix.join(BUILTINS, `${name}.cjs`),
        own.filter((other) => other !== name),
        {},
      ),
    ])
  const listed = own.filter((name) => !name.startsWith('internal/')).sort()
  return [
    `export const core = ${JSON.stringify(`((JSON)=>{${core};return core.boot})({parse:JSON.parse,stringify:JSON.stringify})`)}`,
    `export const modules = ${JSON.stringify(Object.fromEntries(modules))}`,
    `export const names = ${JSON.stringify(listed)}`,
  ].join('\n')
}

async function patched() {
  const { outputFiles } = await build({ entryPoints: [`${root}${PATCH}`], bundle: true, write: false, format: 'esm' })
  const code = Buffer.from(outputFiles[0]?.text ?? '').toString('base64')
  const { patchEngine } = await import(`data:text/javascript;base64,${code}`)
  return patchEngine(new Uint8Array(readFileSync(`${root}${WASM}`)))
}

/** Replaces the file atomically, because a running test may be loading it. @param {string} path @param {string | Uint8Array} content */
function put(path, content) {
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}

function stampOf() {
  const hash = createHash('sha256')
  const engine = readdirSync(`${root}${ENGINE}`).sort()
  const read = [
    ...sources(GUEST).map((name) => `${GUEST}/${name}`),
    ...engine.map((name) => `${ENGINE}/${name}`),
    'package-lock.json',
    'scripts/vendor-quickjs.mjs',
  ]
  for (const path of read) hash.update(path).update(readFileSync(`${root}${path}`))
  return hash.digest('hex')
}

/** Builds both files unless they are up to date. The folder must exist. */
export async function vendorQuickJs() {
  const banner = `/* The guest environment of the quickjs adapter. Licences of what is in it: LICENSES.txt. ${stampOf()} */`
  if (existsSync(engine) && existsSync(file) && readFileSync(file, 'utf8').startsWith(banner)) return
  put(engine, await patched())
  put(file, `${banner}\n${await bundle()}\n`)
  console.log('vendor: the guest environment in dist/vendor/quickjs-guest.js')
}
