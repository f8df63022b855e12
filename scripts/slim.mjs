// Turns the build into what the package ships: JavaScript without comments and most indentation, and of the declarations, which the compiler
// writes to dist/types, those that a public entry leads to (the exports map is closed). Declarations keep their comments: editors show them.
// Runs after the compiler, on the files that have changed.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { importsOf, nodesOf } from './syntax.mjs'

const TYPES = 'dist/types'
const STAMP = 'dist/types/slim'
/** Comments that bundlers read. */
const DIRECTIVE = /@vite-ignore|webpackIgnore|__PURE__/

/** No empty lines, no trailing spaces, and one tab for each step of indentation. @param {string} code */
const tidy = (code) => code.replace(/\s*\n( *)/g, (_, indent) => `\n${'\t'.repeat(indent.length / 4)}`)

/** @param {string} file */
const sourceOf = (file) => (file.endsWith('.js') ? file.replace(/^dist\/(.*)\.js$/, '$1.ts') : '')

const last = existsSync(STAMP) ? statSync(STAMP).mtimeMs : 0
/** @param {string} file */
const hasChanged = (file) => statSync(file).mtimeMs >= last
const built = ['dist/src', 'dist/adapters', 'dist/test'].flatMap(filesIn)

for (const file of built.filter((name) => !/\.(d\.ts|new)$/.test(name) && statSync(name).isFile())) {
  // Left over from a source that was deleted.
  if (!existsSync(sourceOf(file))) rmSync(file)
  else if (hasChanged(file)) put(file, slim(file, readFileSync(file, 'utf8')))
}
if (['package.json', 'scripts/slim.mjs', ...filesIn(TYPES)].some(hasChanged)) {
  const shipped = publicDeclarations()
  for (const [file, text] of shipped) put(file, text)
  for (const file of built) if (file.endsWith('.d.ts') && !shipped.has(file)) rmSync(file)
}
writeFileSync(STAMP, '')

/** The declarations that the entries of the manifest lead to, by where the package has them. */
function publicDeclarations() {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
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
