// Bundles just-bash's browser build into one file of its own, dist/vendor/just-bash.js, because the package as it is published cannot be
// built by everyone: it imports `node:zlib`, which esbuild and workerd refuse, and installs 80 MB. Licences go beside it.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}dist/vendor`
const file = `${folder}/just-bash.js`

/** @param {string} path below the repository */
const manifestOf = (path) => JSON.parse(readFileSync(`${root}${path}/package.json`, 'utf8'))

/** What the bundle takes from Node: compression, for which a browser has no synchronous function. */
const ZLIB = `
function missing() { throw new Error('compression is not available in this shell') }
export const constants = {}, gunzipSync = missing, gzipSync = missing
`

/** @type {import('esbuild').Plugin} */
const withoutZlib = {
  name: 'without-zlib',
  setup(builder) {
    builder.onResolve({ filter: /^node:zlib$/ }, () => ({ path: 'zlib', namespace: 'shim' }))
    builder.onLoad({ filter: /./, namespace: 'shim' }, () => ({ contents: ZLIB }))
  },
}

/** The licence texts of a package. @param {string} path below the repository */
function licenceOf(path) {
  const { name, version: release, license } = manifestOf(path)
  const files = readdirSync(`${root}${path}`).filter((entry) => /^(licen[cs]e|notice)/i.test(entry))
  const texts = files.map((entry) => readFileSync(`${root}${path}/${entry}`, 'utf8').trim())
  return [`${name} ${release} (${license})`, ...texts].join('\n\n')
}

const { version } = manifestOf('node_modules/just-bash')
const stamp = createHash('sha256')
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')
const banner = `/* just-bash ${version}, bundled with what it needs and changed: no node:zlib. Licences: LICENSES.txt. ${stamp} */`

function isCurrent() {
  try {
    return readFileSync(file, 'utf8').startsWith(banner)
  } catch {
    return false
  }
}

if (!isCurrent()) {
  const result = await build({
    stdin: { contents: "export { Bash, getCommandNames } from 'just-bash/browser'", resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'eof',
    metafile: true,
    write: false,
    absWorkingDir: root,
    plugins: [withoutZlib],
  })
  const packages = Object.keys(result.metafile.inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const licences = [...new Set(packages)].sort().map(licenceOf)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/LICENSES.txt`, `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
  writeFileSync(file, `${banner}\n${result.outputFiles[0]?.text}`)
  console.log(`vendor: just-bash ${version}, ${licences.length} packages in dist/vendor/just-bash.js`)
}
