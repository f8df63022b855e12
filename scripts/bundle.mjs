// Turns the compiler's output into the files that the package ships. Does nothing if the compiler has written nothing.
// - dist/lib: one bundle per entry, with shared chunks, without comments and most indentation. A program then reads a hundred files at its
//   start instead of six hundred.
// - dist/types: only the declarations that a public entry refers to, because the exports map is closed. They keep their comments, which
//   editors show.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { build } from 'esbuild'
import { importsOf, nodesOf } from './syntax.mjs'

const OUT = 'dist/lib'
const TYPES = 'dist/types'
const STAMP = 'dist/bundled'
const { exports, bin } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Started by URL; no module imports them. */
const SCRIPTS = ['adapters/opfs/worker', 'adapters/node/js/child/main', 'adapters/node/js/child/result', 'adapters/node/js/child/thread']

/** Comments that bundlers interpret. */
const DIRECTIVE = /@vite-ignore|webpackIgnore|__PURE__/

/** Removes empty lines and trailing spaces, and indents by one tab per level. @param {string} code */
const tidy = (code) => code.replace(/\s*\n( *)/g, (_, indent) => `\n${'\t'.repeat(indent.length / 4)}`)

const last = existsSync(STAMP) ? statSync(STAMP).mtimeMs : 0
/** The files that the last build wrote. */
const written = last === 0 ? [] : readFileSync(STAMP, 'utf8').split('\n')
const built = ['dist/src', 'dist/adapters', 'dist/test'].flatMap(filesIn)
const sources = ['package.json', 'package-lock.json', 'scripts/bundle.mjs', ...built, ...filesIn(TYPES)]
if (sources.some((file) => statSync(file).mtimeMs >= last) || !written.every((file) => existsSync(file))) {
  const code = await bundles()
  for (const [file, text] of code) put(file, slim(file, text))
  for (const file of filesIn(OUT)) if (!code.has(file)) rmSync(file)
  const shipped = publicDeclarations()
  for (const [file, text] of shipped) put(file, text)
  for (const file of built) if (file.endsWith('.d.ts') && !shipped.has(file)) rmSync(file)
  writeFileSync(STAMP, [...code.keys(), ...shipped.keys()].join('\n'))
}

/** The files to write, by path. @returns {Promise<Map<string, string>>} */
async function bundles() {
  const entries = entryModules()
  /** The names that modules use from zod. @type {Set<string>} */
  const zodNames = new Set()
  /**
   * Rewrites addresses relative to `import.meta.url`. All bundles are in one directory, so an address is the same in each. @type
   * {import('esbuild').Plugin}
   */
  const addresses = {
    name: 'addresses',
    setup(builder) {
      builder.onLoad({ filter: /\/dist\/(src|adapters|test)\/.*\.js$/ }, ({ path, suffix }) => {
        const file = posix.relative(process.cwd(), path)
        const text = readFileSync(path, 'utf8')
        if (text.includes("from 'zod/mini'")) for (const [, name = ''] of text.matchAll(/\bz\.(\w+)/g)) zodNames.add(name)
        const contents = marked(file, text).replace(/'(\.\.?\/[^']+)', import\.meta\.url/g, (_, address) => {
          const target = posix.join(posix.dirname(file), address)
          const name = [...entries].find(([, module]) => module === target)?.[0]
          return `'${name === undefined ? posix.relative(OUT, target) : `./${name}.js`}', import.meta.url`
        })
        return { contents, pluginData: { isOfCommand: suffix !== '' } }
      })
      // In Node, `#zod` (package.json) is one small file, because every start would otherwise read a hundred. Elsewhere, `#zod` is the
      // package itself, so that a bundler includes only one copy.
      builder.onResolve({ filter: /^zod\/mini$/ }, () => ({ path: '#zod', external: true }))
      // The command has its own copy of the MCP server, with the SDK in one file (scripts/vendor.mjs): it starts faster and needs no
      // installed SDK. Programs that import the server get the classes of the SDK that they have installed.
      builder.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, importer, pluginData }) => {
        const target = posix.join(resolveDir, path)
        const isOfCommand = pluginData?.isOfCommand || importer.includes('/dist/src/entries/cli/')
        return isOfCommand && target.includes('/dist/src/entries/mcp/') ? { path: target, suffix: '?command' } : undefined
      })
      builder.onResolve({ filter: /^@modelcontextprotocol\/sdk\// }, ({ path, pluginData }) => {
        return { path: pluginData?.isOfCommand ? '#mcp-sdk' : path, external: true }
      })
    },
  }
  /** @type {import('esbuild').BuildOptions & { write: false }} */
  const options = { bundle: true, write: false, format: 'esm', target: 'es2022' }
  const library = await build({
    ...options,
    entryPoints: Object.fromEntries(entries),
    outdir: OUT,
    chunkNames: '[hash]',
    splitting: true,
    packages: 'external',
    external: ['#*', 'node:*', 'cloudflare:*', 'toolport/*'],
    plugins: [addresses],
  })
  const contents = `export { ${[...zodNames].sort().join(', ')} } from 'zod/mini'`
  const zod = await build({ ...options, stdin: { contents, resolveDir: '.' }, minify: true, outfile: `${OUT}/zod.js` })
  return new Map([...library.outputFiles, ...zod.outputFiles].map(({ path, text }) => [posix.relative(process.cwd(), path), text]))
}

/**
 * Marks the calls that create module constants as pure, because they have no side effects (`sideEffects: false`). A bundler can then drop
 * unused constants even from a file that combines many modules.
 *
 * @param {string} file
 * @param {string} text
 */
function marked(file, text) {
  const { nodes } = nodesOf(file, text)
  const within = (/** @type {string} */ type) => nodes.filter((node) => node.type === type)
  const functions = nodes.filter(({ type }) => /Function/.test(type))
  const constants = within('VariableDeclaration').filter(({ start }) => !functions.some((node) => node.start < start && start < node.end))
  /** @type {[number, string][]} */
  const added = []
  for (const { start, end } of constants) {
    const inner = functions.filter((node) => start < node.start && node.end <= end)
    for (const call of [...within('NewExpression'), ...within('CallExpression')]) {
      if (call.start < start || call.end > end || inner.some((node) => node.start < call.start && call.end < node.end)) continue
      added.push([call.start, '(/* @__PURE__ */ '], [call.end, ')'])
    }
  }
  return added.sort(([a], [b]) => b - a).reduce((code, [at, part]) => code.slice(0, at) + part + code.slice(at), text)
}

/**
 * Bundle name -> compiled module: the command, `SCRIPTS`, and the entries of the exports map. The exports map names a module's
 * declarations, which have the same path as the module.
 */
function entryModules() {
  const entries = new Map([
    ['cli', 'dist/src/entries/cli.js'],
    ...SCRIPTS.map((path) => /** @type {const} */ ([path.replaceAll('/', '-'), `dist/${path}.js`])),
  ])
  for (const entry of Object.values(exports)) {
    if (entry.types?.startsWith('./dist/'))
      entries.set(posix.basename(entry.default, '.js'), posix.normalize(entry.types).replace(/\.d\.ts$/, '.js'))
  }
  if (bin.toolport !== `./${OUT}/cli.js`) throw new Error('bundle: the command is another file')
  return entries
}

/** The declarations that the entries of the manifest refer to, by their path in the package. */
function publicDeclarations() {
  const entries = Object.values(exports).flatMap(({ types }) => (types?.startsWith('./dist/') ? [posix.normalize(types)] : []))
  const found = new Map(entries.map((file) => [file, '']))
  for (const file of found.keys()) {
    const text = readFileSync(file.replace('dist', TYPES), 'utf8')
    found.set(file, text)
    for (const specifier of importsOf(nodesOf(file, text).nodes)) {
      const target = posix.join(posix.dirname(file), specifier.replace(/\.js$/, '.d.ts'))
      if (specifier.startsWith('.') && !found.has(target)) found.set(target, '')
    }
  }
  return found
}

/** @param {string} folder */
function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => posix.join(folder, name.replaceAll('\\', '/')))
}

/** @param {string} file @param {string} text */
function slim(file, text) {
  const { nodes, comments } = nodesOf(file, text)
  // Line breaks inside strings and templates belong to the program.
  const kept = nodes.filter(({ type, start, end }) => /^(Literal|TemplateElement)$/.test(type) && text.slice(start, end).includes('\n'))
  const cut = comments.filter(({ start, value }) => !text.startsWith('#!', start) && !DIRECTIVE.test(value))
  let done = ''
  let layout = ''
  let at = 0
  for (const part of [...kept, ...cut].sort((a, b) => a.start - b.start)) {
    layout += text.slice(at, part.start)
    at = part.end
    if (kept.includes(part)) {
      done += tidy(layout) + text.slice(part.start, part.end)
      layout = ''
    }
  }
  return done + tidy(layout + text.slice(at))
}

/** Replaces the file atomically, because a running test may be loading it. @param {string} file @param {string} text */
function put(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(posix.dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
