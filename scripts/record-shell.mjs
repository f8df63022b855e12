// Runs recorded scripts (test/adapters/just-bash-{find,lines}.jsonl) in this machine's bash with its GNU tools, and records the output
// there: `node scripts/record-shell.mjs find`. The tree is in a tmpfs, which lists the newest entry first, so it is created in reverse
// order: `find` then visits entries sorted by name.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { spawnSync } from 'node:child_process'
import { chmodSync, lutimesSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const name = process.argv[2] ?? ''
const corpus = join(root, `test/adapters/just-bash-${name}.jsonl`)
/** @param {string} which */
const seedOf = (which) => `export * from './just-bash-${which}-seed.ts'`
const stdin = { contents: `${seedOf('find')};${seedOf(name)}`, resolveDir: join(root, 'test/adapters') }
const bundled = await build({ stdin, bundle: true, write: false, format: 'esm' })
const seeds = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0]?.text ?? '').toString('base64')}`)
const { SEED_MTIME_MS, [`${name.toUpperCase()}_SEED`]: SEED } = seeds

const scratch = mkdtempSync('/dev/shm/record-shell-')
const workspace = join(scratch, 'workspace')

function makeTree() {
  rmSync(workspace, { recursive: true, force: true })
  mkdirSync(workspace)
  const folders = new Set([workspace])
  for (const { path, text, target, mode } of SEED.toReversed()) {
    const at = join(workspace, path)
    mkdirSync(path.endsWith('/') ? at : dirname(at), { recursive: true })
    for (let folder = dirname(at); folder !== workspace; folder = dirname(folder)) folders.add(folder)
    if (path.endsWith('/')) folders.add(at)
    else if (target !== undefined) symlinkSync(target, at)
    else writeFileSync(at, text)
    if (mode !== undefined) chmodSync(at, mode)
  }
  for (const { path, ageSeconds } of SEED) {
    const seconds = ageSeconds === undefined ? SEED_MTIME_MS / 1000 : Date.now() / 1000 - ageSeconds
    if (!path.endsWith('/')) lutimesSync(join(workspace, path), seconds, seconds)
  }
  for (const folder of folders) lutimesSync(folder, SEED_MTIME_MS / 1000, SEED_MTIME_MS / 1000)
}

// Use pipes: Node's sockets cannot be opened as /dev/stdout and /dev/stdin.
const PIPED = ': | bash --noprofile --norc -c "$1" 2> >(cat >&2) | cat; exit ${PIPESTATUS[1]}'

process.umask(0o022)
try {
  const cases = readFileSync(corpus, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { script } = JSON.parse(line)
      makeTree()
      const env = { PATH: process.env.PATH, HOME: '/home', LC_ALL: name === 'find' ? 'C' : 'C.UTF-8', TZ: 'UTC' }
      const { stdout, stderr, status } = spawnSync('bash', ['-c', PIPED, '_', script], { cwd: workspace, env, input: '', timeout: 20_000 })
      const [out, err] = [stdout, stderr].map((bytes) => bytes.toString('utf8').replaceAll(workspace, '/workspace'))
      return { script, stdout: out, ...(name === 'find' && { stderr: err }), exitCode: status }
    })
  writeFileSync(corpus, cases.map((item) => `${JSON.stringify(item)}\n`).join(''))
  console.log(`recorded ${cases.length} cases`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
