const LINES = `// The longest files below a folder: press Run, or type "node examples/lines.js" in the terminal.
// The folder is its first argument; default src.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const folder = process.argv[2] ?? 'src'
const names = await readdir(folder, { recursive: true })
const files = []
for (const name of names) {
  if (!/\\.[cm]?[jt]s$/.test(name)) continue
  const text = await readFile(join(folder, name), 'utf8')
  files.push({ path: join(folder, name), lines: text.split('\\n').length - 1 })
}
files.sort((a, b) => b.lines - a.lines)

console.log(\`\${files.length} files, \${files.reduce((sum, { lines }) => sum + lines, 0)} lines\\n\`)
const most = files[0]?.lines ?? 1
for (const { path, lines } of files.slice(0, 10)) {
  console.log(String(lines).padStart(4), '█'.repeat(Math.ceil((lines / most) * 12)).padEnd(12), path)
}
`

/** Path of the sample program in a new workspace. */
export const SAMPLE_PATH = 'examples/lines.js'
export const sampleProgram: Readonly<Record<string, string>> = { [SAMPLE_PATH]: LINES }
