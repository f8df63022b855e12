// npm run check:ranges -- lowest|newest [test files]
// Runs the tests for Node in a copy of the sources, with the lowest or the newest version that each range of package.json allows.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import semver from 'semver'

const [end = '', ...tests] = process.argv.slice(2)
const choose = { lowest: semver.minSatisfying, newest: semver.maxSatisfying }[end]
if (!choose) throw new Error('Say which versions: npm run check:ranges -- lowest|newest [test files]')

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })) {
  const published = JSON.parse(execFileSync('npm', ['view', name, 'versions', '--json'], { encoding: 'utf8' }))
  const version = choose([published].flat(), range)
  if (!version) throw new Error(`No published version of ${name} is in ${range}`)
  console.log(`${name} ${version} (${range})`)
  const kind = name in manifest.dependencies ? 'dependencies' : 'devDependencies'
  manifest[kind][name] = version
}

const copy = mkdtempSync(join(tmpdir(), 'toolport-ranges-'))
// Some tests run programs as another user.
chmodSync(copy, 0o755)
for (const file of execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n'))
  cpSync(file, join(copy, file), { recursive: true })
// The package ships these files, built from the locked versions. So the tests use the same files, and no script builds them again.
cpSync('dist/vendor', join(copy, 'dist/vendor'), { recursive: true })
writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest, null, 2).replaceAll('node scripts/vendor.mjs && ', ''))

const steps = [
  // Development packages may require newer peers than the lowest versions.
  ['npm', 'install', '--force', '--no-audit', '--no-fund', '--loglevel', 'error'],
  ['npx', 'vitest', 'run', '--project', 'node', ...tests],
]
const failed = steps.find(([command = '', ...args]) => spawnSync(command, args, { cwd: copy, stdio: 'inherit' }).status !== 0)
if (failed) console.error(`\nFailed with the ${end} versions: ${failed.join(' ')}\nThe copy is in ${copy}`)
else rmSync(copy, { recursive: true })
process.exitCode = failed ? 1 : 0
