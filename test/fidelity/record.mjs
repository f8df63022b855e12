// Runs the scripts of corpus.jsonl in this machine's bash and records their output there: `node test/fidelity/record.mjs`. A new case only
// needs "family" and "script". No case uses git, node, python or npm, because a virtual shell has none of them.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'fidelity-'))
const TIMEOUT = 10_000

/**
 * Creates a new workspace for every run, always at the same path, so that no output depends on the length of the path.
 * @param {Readonly<Record<string, string>>} seed
 */
function place(seed) {
  const root = join(scratch, 'run')
  rmSync(root, { recursive: true, force: true })
  const workspace = join(root, 'workspace')
  for (const [path, text] of Object.entries(seed)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  for (const name of ['home', 'tmp']) mkdirSync(join(root, name))
  return { root, workspace }
}

/**
 * @param {import('./run.js').Case} item
 * @param {Readonly<Record<string, string>>} seed
 * @returns {Promise<{ stdout: string, exitCode: number | null, problem: string | undefined }>}
 */
function run({ script, stdin = '' }, seed) {
  const { root, workspace } = place(seed)
  const env = {
    PATH: process.env.PATH,
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'dumb',
  }
  return new Promise((resolve, reject) => {
    // A process group of its own, so that a timeout also ends the script's background processes.
    const child = spawn('bash', ['--noprofile', '--norc', '-c', script], { cwd: workspace, env, detached: true })
    /** @type {Buffer[]} */
    const out = []
    let late = false
    const timer = setTimeout(() => {
      late = true
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    }, TIMEOUT)
    child.stdout.on('data', (chunk) => out.push(chunk))
    child.stderr.resume()
    // A script that does not read its input may end before the input is written.
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      const bytes = Buffer.concat(out)
      const text = bytes.toString('utf8')
      resolve({
        stdout: text.replaceAll(workspace, '/workspace'),
        exitCode: code,
        problem: late
          ? 'took too long'
          : signal
            ? `ended by ${signal}`
            : !Buffer.from(text).equals(bytes)
              ? 'stdout is not UTF-8'
              : text.replaceAll(workspace, '').includes(scratch)
                ? 'stdout names a place outside the workspace'
                : undefined,
      })
    })
  })
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function version(command, ...args) {
  const { stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return (stdout ?? '').replace(/\n.*/s, '').trim()
}

process.umask(0o022)
try {
  const outfile = join(scratch, 'seed.mjs')
  await build({ entryPoints: [join(here, 'seed.ts')], bundle: true, format: 'esm', outfile, logLevel: 'warning' })
  /** @type {typeof import('./seed.js')} */
  const { SEED } = await import(pathToFileURL(outfile).href)
  const corpus = join(here, 'corpus.jsonl')
  const problems = []
  const cases = []
  const seen = new Set()
  for (const line of readFileSync(corpus, 'utf8').trimEnd().split('\n')) {
    /** @type {import('./run.js').Recorded} */
    const item = JSON.parse(line)
    const first = await run(item, SEED)
    const second = await run(item, SEED)
    const key = JSON.stringify([item.script, item.stdin])
    const problem =
      first.problem ??
      second.problem ??
      (seen.has(key) ? 'is there twice' : undefined) ??
      (first.stdout === second.stdout && first.exitCode === second.exitCode ? undefined : 'differs from run to run')
    seen.add(key)
    if (problem) problems.push(`${item.family}: ${problem}: ${item.script}`)
    cases.push({ ...item, stdout: first.stdout, exitCode: first.exitCode })
  }
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exitCode = 1
  } else {
    const versions = {
      bash: version('bash', '-c', 'echo "$BASH_VERSION"'),
      coreutils: version('ls', '--version'),
      grep: version('grep', '--version'),
      sed: version('sed', '--version'),
      // Both mawk and gawk accept `-W version`. Only the first line is used.
      awk: version('awk', '-W', 'version'),
      find: version('find', '--version'),
      xargs: version('xargs', '--version'),
      diff: version('diff', '--version'),
      tar: version('tar', '--version'),
      jq: version('jq', '--version'),
    }
    writeFileSync(corpus, cases.map((item) => `${JSON.stringify(item)}\n`).join(''))
    writeFileSync(join(here, 'versions.json'), `${JSON.stringify(versions, null, 2)}\n`)
    console.log(`recorded ${cases.length} cases`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
