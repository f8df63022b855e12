// Runs the calls of test/adapters/just-bash-jq.jsonl with this machine's jq 1.6 and records standard output and status there. Leaves rows
// with `since` unchanged, because jq 1.8 differs in them, and `stderr`, which has the wording of jq 1.8. A new call only needs `args`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const corpus = join(root, 'test/adapters/just-bash-jq.jsonl')
const bundled = await build({ entryPoints: [`${root}test/adapters/just-bash-jq-seed.ts`], bundle: true, write: false, format: 'esm' })
const { JQ_FILES } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0]?.text ?? '').toString('base64')}`)

const { stdout: version } = spawnSync('jq', ['--version'], { encoding: 'utf8' })
if (version?.trim() !== 'jq-1.6') throw new Error(`record-jq needs jq 1.6, and this is ${version?.trim() || 'none'}`)

const folder = mkdtempSync(join(tmpdir(), 'record-jq-'))
try {
  for (const [path, text] of Object.entries(JQ_FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const rows = readFileSync(corpus, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((row) => {
      if (row.since) return row
      const { args, stdin, env, stderr } = row
      const run = spawnSync('jq', args, {
        cwd: folder,
        input: stdin ?? '',
        env: { PATH: process.env.PATH, HOME: '/home', TZ: 'UTC', ...env },
      })
      const printed = { stdout: run.stdout.toString(), ...(stderr && { stderr }), exitCode: run.status }
      return { args, ...(stdin && { stdin }), ...(env && { env }), ...printed }
    })
  writeFileSync(corpus, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  console.log(`recorded ${rows.filter(({ since }) => !since).length} of ${rows.length} calls`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
