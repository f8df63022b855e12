// Checks the packed package: publint, type resolution for ES modules, size, and that all referenced files exist.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { problemAffectsResolutionKind, problemKindInfo } from '@arethetypeswrong/core/problems'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packed } from './packed.mjs'
import { importsOf, nodesOf } from './syntax.mjs'

const MAX_FILES = 2000
const MAX_BYTES = 6.74e6

const { app, tarball } = packed()
const root = `${app}/node_modules/toolport/`
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const files = new Set(readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')))
for (const file of files) if (statSync(root + file).isDirectory()) files.delete(file)
const bytes = [...files].reduce((sum, file) => sum + statSync(root + file).size, 0)
const problems = [...missing()]
if (files.size >= MAX_FILES) problems.push(`${files.size} files: the limit is ${MAX_FILES}`)
if (bytes >= MAX_BYTES) problems.push(`${bytes} bytes unpacked: the limit is ${MAX_BYTES}`)

const data = readFileSync(tarball)
for (const message of (await publint({ pack: { tarball: new Uint8Array(data).buffer }, strict: true })).messages)
  problems.push(`publint: ${formatMessage(message, manifest) ?? message.code}`)

const analysis = await checkPackage(createPackageFromTarballData(data))
if (!analysis.types) problems.push('the package has no types')
else
  for (const problem of analysis.problems) {
    const kinds = /** @type {const} */ (['node16-esm', 'bundler']).filter((kind) => problemAffectsResolutionKind(problem, kind, analysis))
    if (kinds.length > 0) problems.push(`types (${kinds.join()}): ${problemKindInfo[problem.kind].title} ${JSON.stringify(problem)}`)
  }

for (const problem of problems) console.error(problem)
console.log(`package: ${files.size} files, ${(bytes / 1e6).toFixed(2)} MB unpacked, ${(data.length / 1e6).toFixed(2)} MB packed`)
process.exitCode = problems.length > 0 ? 1 : 0

/** Files that the manifest, a module, a declaration or a source map refers to, but that the package lacks. */
function* missing() {
  const { bin, exports, imports } = manifest
  const entries = [bin, ...Object.values(exports), ...Object.values(imports).map(({ types: _, ...targets }) => targets)]
  for (const target of entries.flatMap((entry) => (typeof entry === 'string' ? entry : Object.values(entry))))
    if (target.startsWith('.') && !files.has(posix.normalize(target))) yield `package.json names ${target}, which is not in the package`
  for (const file of files) {
    const folder = posix.dirname(file)
    if (file.endsWith('.map'))
      for (const source of JSON.parse(readFileSync(root + file, 'utf8')).sources)
        if (!files.has(posix.join(folder, source))) yield `${file} names ${source}, which is not in the package`
    if (!/^dist\/(?!vendor\/).*\.(js|d\.ts)$/.test(file)) continue
    for (const specifier of importsOf(nodesOf(file, readFileSync(root + file, 'utf8')).nodes)) {
      const name = file.endsWith('.d.ts') ? specifier.replace(/\.js$/, '.d.ts') : specifier
      if (name.startsWith('.') && !files.has(posix.join(folder, name))) yield `${file} imports ${name}, which is not in the package`
      if (name.startsWith('#') && !file.endsWith('.js')) yield `${file} imports ${name}, which compilers of users may not find`
      if (name.startsWith('#') && file.endsWith('.js') && !(name in imports))
        yield `${file} imports ${name}, which package.json does not name`
    }
  }
}
