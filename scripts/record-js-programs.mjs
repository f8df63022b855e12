// Runs the programs of test/contract/js/sources.ts once on this Node, and writes their output to test/contract/js/recorded.ts.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const { outputFiles } = await build({ entryPoints: [`${root}test/contract/js/sources.ts`], bundle: true, write: false, format: 'esm' })
const { JS_SOURCES } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.text ?? '').toString('base64')}`)

/** @type {string[]} */
const lines = []
for (const { name, files, args = [], env = {}, stdin = '' } of JS_SOURCES) {
  const folder = mkdtempSync(join(tmpdir(), 'js-program-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    const entry = Object.keys(files).find((path) => path.startsWith('main.')) ?? 'main.mjs'
    const { stdout, status } = spawnSync(process.execPath, [entry, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, TZ: 'UTC', ...env },
      input: stdin,
      encoding: 'utf8',
    })
    if (stdout.includes(folder)) throw new Error(`"${name}" prints where it lies: ${stdout}`)
    lines.push(`  ${JSON.stringify(name)}: { exitCode: ${status}, stdout: ${JSON.stringify(stdout)} },`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const head = `// Written by scripts/record-js-programs.mjs: what Node ${process.version} prints. Not to be edited.`
const type = 'Readonly<Record<string, { readonly exitCode: number; readonly stdout: string }>>'
writeFileSync(`${root}test/contract/js/recorded.ts`, `${head}\nexport const RECORDED: ${type} = {\n${lines.join('\n')}\n}\n`)
console.log(`recorded ${lines.length} programs of Node ${process.version}`)
