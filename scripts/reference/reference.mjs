// Writes the reference of all public entries to .cache/reference, from their docstrings. `--check` writes nothing and fails when an
// export has no docstring and is not in undocumented.json. Needs the build.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Application, ReflectionKind } from 'typedoc'

const root = fileURLToPath(new URL('../../', import.meta.url))
const listFile = fileURLToPath(new URL('undocumented.json', import.meta.url))
const check = process.argv.includes('--check')

const { name: library, exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
/** @type {Map<string, string>} the declaration file of each entry, and the name it is imported by */
const entries = new Map()
for (const [path, { types }] of Object.entries(exports)) if (types) entries.set(types.slice(2), `${library}${path.slice(1)}`)

const app = await Application.bootstrapWithPlugins({
  name: 'Toolport',
  entryPoints: [...entries.keys()].map((file) => root + file),
  basePath: root,
  tsconfig: fileURLToPath(new URL('tsconfig.json', import.meta.url)),
  plugin: ['typedoc-plugin-markdown'],
  readme: 'none',
  disableSources: true,
  // Types that are named by an export, but not exported themselves, are internal on purpose.
  validation: { notExported: false, notDocumented: false, invalidLink: true },
  treatWarningsAsErrors: true,
  logLevel: 'Warn',
})
const project = await app.convert()
if (!project) process.exit(1)
app.validate(project)

/** @type {Record<string, string[]>} */
const undocumented = {}
for (const module of project.children ?? []) {
  module.name = entries.get(`${module.name}.d.ts`) ?? entries.get(`${module.name}/index.d.ts`) ?? module.name
  const names = (module.children ?? []).filter((each) => !isDocumented(each)).map(({ name }) => name)
  if (names.length > 0) undocumented[module.name] = names.sort()
  const all = module.children?.length ?? 0
  if (!check) console.log(`${all - names.length} of ${all} exports of ${module.name} have a docstring`)
}

const listed = JSON.parse(readFileSync(listFile, 'utf8'))
for (const [entry, name] of pairs(undocumented)) if (!listed[entry]?.includes(name)) fail(`${name} of ${entry} has no docstring`)
if (check) {
  for (const [entry, name] of pairs(listed))
    if (!undocumented[entry]?.includes(name))
      fail(`${name} of ${entry} needs no place in ${listFile.slice(root.length)}: run \`npm run docs:reference\``)
} else {
  const left = Object.entries(undocumented).map(([entry, names]) => [entry, names.filter((name) => listed[entry]?.includes(name))])
  writeFileSync(listFile, `${JSON.stringify(Object.fromEntries(left.filter(([, names]) => names?.length)), null, 2)}\n`)
  await app.generateDocs(project, `${root}.cache/reference`)
  console.log('The reference is in .cache/reference/README.md')
}
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1

/** @param {import('typedoc').DeclarationReflection} reflection @returns {boolean} */
function isDocumented(reflection) {
  const target = reflection.isReference() ? reflection.getTargetReflectionDeep() : reflection
  if (!target.isDeclaration()) return true
  // The comment of a function is on its signatures.
  return (
    target.hasComment() || (target.signatures ?? []).some((signature) => signature.hasComment()) || target.kindOf(ReflectionKind.Module)
  )
}

/** @param {Record<string, string[]>} names by entry @returns {[entry: string, name: string][]} */
function pairs(names) {
  return Object.entries(names).flatMap(([entry, list]) => list.map((name) => /** @type {[string, string]} */ ([entry, name])))
}

/** @param {string} message */
function fail(message) {
  console.error(message)
  process.exitCode = 1
}
