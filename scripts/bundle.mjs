// Turns the build into what the package ships: bundles in dist/lib, one for each entry, with shared chunks beside them, so that a program that
// starts reads a hundred files and not six hundred; without comments and most indentation. And the declarations that a public entry leads
// to, which the compiler writes to dist/types (the exports map is closed). They keep their comments: editors show them.
// Runs after the compiler, and does nothing where it has written nothing.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { build } from 'esbuild'
import { importsOf, nodesOf } from './syntax.mjs'

const OUT = 'dist/lib'
const TYPES = 'dist/types'
const STAMP = 'dist/bundled'
const { exports, bin } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Started by their addresses: no module imports them. */
const SCRIPTS = ['adapters/opfs/worker', 'adapters/node/js/child/main', 'adapters/node/js/child/result', 'adapters/node/js/child/thread']

/** Comments that bundlers read. */
const DIRECTIVE = /@vite-ignore|webpackIgnore|__PURE__/

/** No empty lines, no trailing spaces, and one tab for each step of indentation. @param {string} code */
const tidy = (code) => code.replace(/\s*\n( *)/g, (_, indent) => `\n${'\t'.repeat(indent.length / 4)}`)

const last = existsSync(STAMP) ? statSync(STAMP).mtimeMs : 0
const built = ['dist/src', 'dist/adapters', 'dist/test'].flatMap(filesIn)
const sources = ['package.json', 'package-lock.json', 'scripts/bundle.mjs', ...built, ...filesIn(TYPES)]
if (sources.some((file) => statSync(file).mtimeMs >= last)) {
  const code = await bundles()
  for (const [file, text] of code) put(file, slim(file, text))
  for (const file of filesIn(OUT)) if (!code.has(file)) rmSync(file)
  const shipped = publicDeclarations()
  for (const [file, text] of shipped) put(file, text)
  for (const file of built) if (file.endsWith('.d.ts') && !shipped.has(file)) rmSync(file)
  writeFileSync(STAMP, '')
}

/** What to write, by file. @returns {Promise<Map<string, string>>} */
async function bundles() {
  const entries = entryModules()
  /** What the modules use of zod. @type {Set<string>} */
  const zodNames = new Set()
  /** All bundles lie in one directory, so an address is the same from each. @type {import('esbuild').Plugin} */
  const addresses = {
    name: 'addresses',
    setup(builder) {
      builder.onLoad({ filter: /\/dist\/(src|adapters|test)\/.*\.js$/ }, ({ path }) => {
        const file = posix.relative(process.cwd(), path)
        const text = readFileSync(path, 'utf8')
        if (text.includes("from 'zod/mini'")) for (const [, name = ''] of text.matchAll(/\bz\.(\w+)/g)) zodNames.add(name)
        const contents = marked(file, text).replace(/'(\.\.?\/[^']+)', import\.meta\.url/g, (_, address) => {
          const target = posix.join(posix.dirname(file), address)
          const name = [...entries].find(([, module]) => module === target)?.[0]
          return `'${name === undefined ? posix.relative(OUT, target) : `./${name}.js`}', import.meta.url`
        })
        return { contents }
      })
      // In Node zod is one small file (`#zod` of package.json), and not the hundred that each start would read; elsewhere it is the package,
      // so that a bundler has one copy for everybody.
      builder.onResolve({ filter: /^zod\/mini$/ }, () => ({ path: '#zod', external: true }))
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
  const zod = await build({ ...options, stdin: { contents, resolveDir: '.' }, outfile: `${OUT}/zod.js` })
  return new Map([...library.outputFiles, ...zod.outputFiles].map(({ path, text }) => [posix.relative(process.cwd(), path), text]))
}

/**
 * Marks the calls that make a module's constants as pure, as all of them are (`sideEffects: false`): where many modules are one file, those
 * that nobody uses leave a bundle of a user one by one.
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

/** Compiled modules by the names of their bundles: those of the exports map, which has declarations at the places of the modules. */
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

/** The declarations that the entries of the manifest lead to, by where the package has them. */
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

/** In one step: a test that runs may be loading the file. @param {string} file @param {string} text */
function put(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(posix.dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
