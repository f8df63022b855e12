import { execFile } from 'node:child_process'

export interface RecordedRun {
  /** The cassette. */
  readonly text: string
  /** Base64 by relative path, at the end. */
  readonly files: Record<string, string>
}

/** Not `fileURLToPath`: the Chromium project, which runs this as well, has a stand-in for `node:url`. */
const here = (path: string): string => decodeURIComponent(new URL(`../../${path}`, import.meta.url).pathname)

/** Records a run of the built package in a process with another time zone and locale, for tests in every runtime to replay. */
export function recordCassette(): Promise<RecordedRun & { close(): Promise<void> }> {
  const env = { ...process.env, TZ: 'Asia/Kolkata', LC_ALL: 'de_DE.UTF-8' }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [here('test/fixtures/record-cassette.mjs')], { maxBuffer: 1e9, env }, (error, stdout, stderr) => {
      if (error || stderr) reject(new Error(`Cannot record the cassette: ${stderr || error}`))
      else resolve({ ...(JSON.parse(stdout) as RecordedRun), close: async () => {} })
    })
  })
}
