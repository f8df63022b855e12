// Bundles just-bash's browser build into one file of its own, dist/vendor/just-bash.js, because the package as it is published cannot be
// built by everyone: it imports `node:zlib`, which esbuild and workerd refuse, and installs 80 MB. Licences go beside it.
//
// Two hooks are put into its interpreter, both methods of the filesystem that it is given, and both optional: `beforeCommand(state)` before
// each command, whose promise it waits for, and `afterFailure(error)` for what a command throws, whose result takes the command's place.
// Without them it gives way to nobody, and a redirection that the filesystem refuses ends the whole script.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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

const COMMAND =
  /async executeCommand\((\w+),(\w+),(\w+)=!1\)\{let (\w+)=(\w+)\(this\.ctx\),(\w+);try\{\6=await this\.executeCommandInner\(\1,\2,\3\)\}catch\((\w+)\)\{throw await (\w+)\(this\.ctx,\4\)\.catch\(\(\)=>\{\}\),\7\}/
const HOOKED =
  'async executeCommand($1,$2,$3=!1){const $$fs=this.ctx.fs,$$turn=$$fs.beforeCommand?.(this.ctx.state);if($$turn)await $$turn;' +
  'let $4=$5(this.ctx),$6;try{$6=await this.executeCommandInner($1,$2,$3)}catch($7){const $$told=$$fs.afterFailure?.($7);' +
  'if(!$$told)throw await $8(this.ctx,$4).catch(()=>{}),$7;$6=$$told}'

/** @type {import('esbuild').Plugin} */
const withHooks = {
  name: 'with-hooks',
  setup(builder) {
    builder.onLoad({ filter: /just-bash\/dist\/bundle\/browser\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      const contents = code.replace(COMMAND, HOOKED)
      if (contents === code) throw new Error('vendor: executeCommand of just-bash is not as expected: look at it again')
      return { contents }
    })
  },
}

/** The licence texts of a package. @param {string} path below the repository */
function licenceOf(path) {
  const { name, version: release, license } = manifestOf(path)
  const files = readdirSync(`${root}${path}`).filter((entry) => /^(licen[cs]e|notice)/i.test(entry))
  const texts = files.map((entry) => readFileSync(`${root}${path}/${entry}`, 'utf8').trim())
  return [`${name} ${release} (${license})`, ...texts].join('\n\n')
}

const JUST_BASH = 'node_modules/just-bash'
const { version } = manifestOf(JUST_BASH)

/** What the published file already holds may be any of its dependencies, and of theirs: their licences are given for all of them. */
function inlined() {
  const names = new Set(Object.keys(manifestOf(JUST_BASH).dependencies))
  for (const name of names) for (const below of Object.keys(manifestOf(folderOf(name)).dependencies ?? {})) names.add(below)
  return [...names]
}

/** @param {string} name */
function folderOf(name) {
  const nested = `${JUST_BASH}/node_modules/${name}`
  return existsSync(`${root}${nested}`) ? nested : `node_modules/${name}`
}
const stamp = createHash('sha256')
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')
const banner = `/* just-bash ${version}, bundled with what it needs, and changed: without node:zlib, with two hooks. Licences: LICENSES.txt. ${stamp} */`

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
    plugins: [withoutZlib, withHooks],
  })
  const seen = Object.keys(result.metafile.inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const licences = [...new Set([...seen, ...inlined().map(folderOf)])].sort().map(licenceOf)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/LICENSES.txt`, `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
  writeFileSync(file, `${banner}\n${result.outputFiles[0]?.text}`)
  console.log(`vendor: just-bash ${version} in dist/vendor/just-bash.js, with ${licences.length} licences`)
}
