import type { ShellOutput, ShellProcess } from 'toolport'

export const WAIT_MS = 30_000

/** A process whose output is recorded. */
export interface Session {
  readonly process: ShellProcess
  text(): string
  heard(text: string): Promise<void>
}

/** Starts a process and records its output from the start. */
export async function listenTo(start: (onOutput: (output: ShellOutput) => void) => Promise<ShellProcess>): Promise<Session> {
  let text = ''
  let tell = (): void => {}
  const process = await start((output) => {
    text += output.text
    tell()
  })
  const heard = (wanted: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`Expected ${JSON.stringify(wanted)}, got ${JSON.stringify(text)}`))
      const late = setTimeout(fail, WAIT_MS)
      void process.exited.then(fail)
      tell = () => {
        if (!text.includes(wanted)) return
        clearTimeout(late)
        resolve()
      }
      tell()
    })
  return { process, text: () => text, heard }
}
