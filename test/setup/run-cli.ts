import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { oddFiles } from '../fixtures/odd-files.js'

export interface CliRun {
  readonly root: string
  /** Relative path -> base64 content, before (`files`) and after the calls. */
  readonly files: Record<string, string>
  readonly after: Record<string, string>
  /** The calls, and the printed results, each as JSON lines. */
  readonly calls: string
  readonly printed: string
}

/** Does not use `fileURLToPath`: Vitest's project `chromium` also loads this file, and replaces `node:url` with a stub. */
const here = (path: string): string => decodeURIComponent(new URL(`../../${path}`, import.meta.url).pathname)

/** Runs the built CLI on a copy of this repository's sources. Tests in every runtime compare their results with it. */
export async function runCli(): Promise<CliRun & { close(): Promise<void> }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-cli-')))
  await cp(here('src'), join(root, 'src'), { recursive: true })
  for (const [path, content] of Object.entries(oddFiles)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  const files = await readTree(root)
  const calls = await readFile(here('test/fixtures/calls.jsonl'), 'utf8')
  const printed = await run(['run', here('test/fixtures/calls.jsonl'), '--root', root])
  return { root, files, calls, printed, after: await readTree(root), close: () => rm(root, { recursive: true }) }
}

async function readTree(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = await Promise.all(
    paths.map(async (path) => [path.slice(root.length + 1), (await readFile(path)).toString('base64')] as const),
  )
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Some of the calls fail on purpose, so the exit status is 1. */
function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [here('dist/lib/cli.js'), ...args], { maxBuffer: 1e9 }, (error, stdout, stderr) => {
      if (stderr || (error && error.code !== 1)) reject(new Error(`toolport ${args.join(' ')} failed: ${stderr || error}`))
      else resolve(stdout)
    })
  })
}
