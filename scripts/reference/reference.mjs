// Writes the reference of all public entries to .cache/reference, from their docstrings. Fails if an export has no docstring. `--check`
// writes nothing. Needs the build.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Application, ReflectionKind } from 'typedoc'

const root = fileURLToPath(new URL('../../', import.meta.url))
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

for (const module of project.children ?? []) {
  module.name = entries.get(`${module.name}.d.ts`) ?? entries.get(`${module.name}/index.d.ts`) ?? module.name
  for (const each of module.children ?? []) if (!isDocumented(each)) fail(`${each.name} of ${module.name} has no docstring`)
}

if (!check) {
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

/** @param {string} message */
function fail(message) {
  console.error(message)
  process.exitCode = 1
}
