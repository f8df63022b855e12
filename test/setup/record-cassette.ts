import { execFile } from 'node:child_process'

export interface RecordedRun {
  /** The cassette. */
  readonly text: string
  /** Relative path -> base64 content, after the run. */
  readonly files: Record<string, string>
}

/** Does not use `fileURLToPath`: Vitest's project `chromium` also loads this file, and replaces `node:url` with a stub. */
const here = (path: string): string => decodeURIComponent(new URL(`../../${path}`, import.meta.url).pathname)

/** Records a run of the built package in a process with another time zone and locale. Tests in every runtime replay the run. */
export function recordCassette(): Promise<RecordedRun & { close(): Promise<void> }> {
  const env = { ...process.env, TZ: 'Asia/Kolkata', LC_ALL: 'de_DE.UTF-8' }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [here('test/fixtures/record-cassette.mjs')], { maxBuffer: 1e9, env }, (error, stdout, stderr) => {
      if (error || stderr) reject(new Error(`Cannot record the cassette: ${stderr || error}`))
      else resolve({ ...(JSON.parse(stdout) as RecordedRun), close: async () => {} })
    })
  })
}
