// Bundles just-bash's browser build into one file, dist/vendor/just-bash.js, and adds the licences. The published package cannot be used
// directly: it imports `node:zlib`, which esbuild and workerd reject, and it installs 80 MB. The patches in adapters/just-bash/patches fix
// its interpreter (patches.mjs).
//
// Also bundles the lexer of CommonJS modules: its ES module embeds WebAssembly, which Workers cannot compile at run time.
//
// Also bundles the part of the MCP SDK that servers use, for Node. A server then reads one file at its start instead of 234. Leaves out
// ajv, because only the SDK's `elicitInput` uses ajv, and our server does not call this function.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { patched, readPatches, withoutCommands } from './patches.mjs'
import { GUEST_PACKAGES, vendorQuickJs } from './vendor-quickjs.mjs'
import { vendorWorkerLoader } from './vendor-worker-loader.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}dist/vendor`
const file = `${folder}/just-bash.js`
const LEXER = 'node_modules/cjs-module-lexer'
const lexerFile = `${folder}/cjs-module-lexer.js`
const SDK = '@modelcontextprotocol/sdk'
const sdkFile = `${folder}/mcp-sdk.js`
const licencesFile = `${folder}/LICENSES.txt`

const ADAPTER = `${root}adapters/just-bash`
const PATCHES = `${ADAPTER}/patches`
const patchNames = readdirSync(PATCHES).sort()
const patchText = (/** @type {string} */ name) => readFileSync(`${PATCHES}/${name}`, 'utf8')
const patches = patchNames.filter((name) => name.endsWith('.patch')).flatMap((name) => readPatches(patchText(name)))

/** Files of the adapter that are bundled into the library, and the names that the patches use for their exports. */
const PARTS = {
  'commands/shared/letter-case.ts': 'toLower as $lower, toUpper as $upper',
  'descriptor-files.ts': 'withDescriptors as $descriptors, withInput as $input',
  'escaped-bytes.ts': 'decodeEscaped as $decode, joined as $joined, packed as $packed',
  'process/find-program.ts': 'describeFile as $describeFile, findProgram as $findProgram, pathOf as $pathOf, pathsOf as $pathsOf',
  'syntax/alternatives.ts': 'hasAlternatives as $hasAlternatives, withAlternatives as $alternatives',
  'syntax/ansi-quoting.ts': 'readAnsiQuoted as $ansi',
  'syntax/array-elements.ts': 'elementsText as $elementsText, keyedAt as $keyedAt, readElements as $readElements',
  'syntax/command-text.ts': 'commandText as $commandText, mixedBraces as $mixedBraces',
  'syntax/declarations.ts': 'printDeclarations as $printDeclarations',
  'syntax/fields.ts': 'fieldsOf as $fieldsOf, hasFields as $hasFields',
  'syntax/hash-order.ts': 'hashOrder as $hashOrder',
  'syntax/integers.ts':
    'calculated as $calculated, calculatedOne as $one, literalInteger as $literal, parseInteger as $parse, testInteger as $test',
  'syntax/lists.ts': 'listOf as $listOf, mayBeList as $mayBeList',
  'syntax/namerefs.ts': 'targetArguments as $targets, withTarget as $named, writtenNames as $written',
  'syntax/nesting.ts': 'arithmeticEnd as $arithmeticEnd, bracketsEnd as $bracketsEnd, commandsEnd as $commandsEnd, nestedEnd as $nestedEnd',
  'syntax/pathnames.ts': 'pathnames as $pathnames',
  'syntax/pattern.ts': 'hasNegation as $hasNegation, matchesPattern as $matchesPattern, patternSource as $patternSource',
  'syntax/print-function.ts': 'commandLine as $commandLine, functionText as $functionText',
  'syntax/replacement.ts': 'replacementOf as $replacement, withMatch as $withMatch',
  'syntax/subscripts.ts': 'keyOf as $keyOf, subscriptOf as $subscript',
  'syntax/time-format.ts': 'timeText as $timeText',
  'syntax/trace.ts':
    'tracedCommand as $tracedCommand, tracedPattern as $tracedPattern, tracedWord as $tracedWord, tracePrefix as $tracePrefix',
}

/** Variables that every bash script has, set or unset. */
const SHELL_VARIABLES =
  'BASH BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND BASH_LINENO BASH_SOURCE BASH_SUBSHELL BASH_VERSION EPOCHREALTIME EPOCHSECONDS EUID LINENO PPID PS4 RANDOM SECONDS SHELLOPTS SRANDOM UID'.split(
    ' ',
  )

const HEAD = [
  ...Object.entries(PARTS).map(([path, names]) => `import { ${names} } from ${JSON.stringify(`${ADAPTER}/${path}`)}`),
  `var $shellVariables=${JSON.stringify(SHELL_VARIABLES)};`,
  'var $Number={parseInt:$parse,isNaN:Number.isNaN};',
  'function $cased(e,t){return t==="upper"?$upper(e):t==="lower"?$lower(e):Array.from(e,n=>n===$upper(n)?$lower(n):$upper(n)).join("")}',
  'function $value(e,t){if(!t.includes("\\0"))return t;e.state.expansionStderr=(e.state.expansionStderr||"")+"bash: warning: command substitution: ignored null byte in input\\n";return t.replace(/\\0+/g,"")}',
  '',
].join('\n')

/** @param {string} path below the repository */
const manifestOf = (path) => JSON.parse(readFileSync(`${root}${path}/package.json`, 'utf8'))

/** Replaces `node:zlib` with functions that throw: browsers have no synchronous compression. */
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

/** @type {import('esbuild').Plugin} */
const withoutAjv = {
  name: 'without-ajv',
  setup(builder) {
    builder.onLoad({ filter: /\/validation\/ajv-provider\.js$/ }, () => ({ contents: 'export class AjvJsonSchemaValidator {}' }))
  },
}

/** @type {import('esbuild').Plugin} */
const withHooks = {
  name: 'with-hooks',
  setup(builder) {
    builder.onLoad({ filter: /just-bash\/dist\/bundle\/browser\.js$/ }, ({ path }) => {
      return {
        contents:
          HEAD +
          withoutCommands(
            patched(readFileSync(path, 'utf8'), patches, JSON.parse(patchText('names.json'))),
            JSON.parse(patchText('left-out.json')),
          )
            // The library's modules have no side effects until they are used, so bundlers may drop unused ones.
            .replaceAll('=L(()=>{', '=/* @__PURE__ */L(()=>{'),
      }
    })
  },
}

const COPYRIGHT = /^.*copyright.*(?:©|\(c\)|\d{4}).*$/gim
/** A licence text without its copyright lines and line breaks -> the package that has it first. @type {Map<string, string>} */
const included = new Map()

/** The licence texts of a package. Refers to a text that another package has too. @param {string} path below the repository */
function licenceOf(path) {
  const { name, version: release, license } = manifestOf(path)
  const files = readdirSync(`${root}${path}`).filter((entry) => /^(licen[cs]e|notice)/i.test(entry))
  const texts = files.map((entry) => {
    const text = readFileSync(`${root}${path}/${entry}`, 'utf8').trim()
    const body = text.replace(COPYRIGHT, '').replace(/\s+/g, ' ')
    const first = included.get(body)
    if (first === undefined) included.set(body, `${name} ${release}`)
    return first === undefined
      ? text
      : [...(text.match(COPYRIGHT) ?? []), `The rest of the licence is the same as for ${first}.`].join('\n')
  })
  return [`${name} ${release} (${license})`, ...texts].join('\n\n')
}

const JUST_BASH = 'node_modules/just-bash'
const { version } = manifestOf(JUST_BASH)

/** The folders of all direct and indirect dependencies. The published file may contain any of them, so all licences are included. */
function inlined() {
  const folders = new Set([JUST_BASH])
  for (const folder of folders) for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) folders.add(folderOf(name, folder))
  return [...folders]
}

/** The folder in which Node finds a package. @param {string} name @param {string} [from] the folder of the package that depends on it */
function folderOf(name, from = '') {
  for (let above = from; above; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    const nested = `${above}/node_modules/${name}`
    if (existsSync(`${root}${nested}`)) return nested
  }
  return `node_modules/${name}`
}

const stamp = createHash('sha256')
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(readFileSync(fileURLToPath(new URL('patches.mjs', import.meta.url))))
  .update(readFileSync(fileURLToPath(new URL('vendor-quickjs.mjs', import.meta.url))))
  .update(patchNames.map(patchText).join(''))
  .update(
    Object.keys(PARTS)
      .map((path) => readFileSync(`${ADAPTER}/${path}`, 'utf8'))
      .join(''),
  )
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')
const banner = `/* just-bash ${version}, bundled with what it needs, and changed: without node:zlib, with hooks, and mended. Licences: LICENSES.txt. ${stamp} */`

function isCurrent() {
  try {
    return [lexerFile, sdkFile, licencesFile].every((path) => existsSync(path)) && readFileSync(file, 'utf8').startsWith(banner)
  } catch {
    return false
  }
}

/** Replaces the file atomically, because a running test may be loading it. @param {string} path @param {string} text */
function put(path, text) {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

/** @param {import('esbuild').BuildOptions} options */
const bundle = (options) =>
  build({
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'eof',
    metafile: true,
    write: false,
    absWorkingDir: root,
    ...options,
  })

if (!isCurrent()) {
  const result = await bundle({
    stdin: { contents: "export { Bash, getCommandNames } from 'just-bash/browser'; export const hooked = true", resolveDir: root },
    plugins: [withoutZlib, withHooks],
  })
  const unbound = /\$own_(\w+)/.exec(result.outputFiles?.[0]?.text ?? '')
  if (unbound) throw new Error(`vendor: a patch uses the short name "${unbound[1]}", which the rest of the patch does not have`)
  const lexer = await bundle({ stdin: { contents: `export { parse } from './${LEXER}/lexer.js'`, resolveDir: root } })
  const modules = ['server/index.js', 'server/webStandardStreamableHttp.js', 'types.js']
  const contents = modules.map((module) => `export * from '${SDK}/${module}'`).join('\n')
  const sdk = await bundle({ stdin: { contents, resolveDir: root }, platform: 'node', plugins: [withoutAjv] })
  const inputs = [result, sdk].flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}))
  const seen = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const licences = [...new Set([LEXER, ...GUEST_PACKAGES.map((name) => folderOf(name)), ...seen, ...inlined()])].sort().map(licenceOf)
  mkdirSync(folder, { recursive: true })
  writeFileSync(licencesFile, `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
  put(lexerFile, `/* cjs-module-lexer ${manifestOf(LEXER).version}, unchanged. Licence: LICENSES.txt. */\n${lexer.outputFiles?.[0]?.text}`)
  put(
    sdkFile,
    `/* ${SDK} ${manifestOf(`node_modules/${SDK}`).version}, without ajv. Licences: LICENSES.txt. */\n${sdk.outputFiles?.[0]?.text}`,
  )
  put(file, `${banner}\n${result.outputFiles?.[0]?.text}`)
  console.log(`vendor: just-bash ${version} in dist/vendor/just-bash.js, with ${licences.length} licences`)
}
await vendorQuickJs()
await vendorWorkerLoader()
