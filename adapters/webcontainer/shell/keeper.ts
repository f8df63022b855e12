import { HeadTail, streamNote } from '../../../src/ops/truncate.js'
import type { ShellExecOptions, ShellOutput, ShellResult } from '../../../src/types/shell.js'

const DEFAULT_MAX_BYTES = 256 * 1024

export interface Keeper {
  push(output: ShellOutput): void
  /** Ends both streams and returns their text. Output that arrives later is dropped. */
  finish(): Pick<ShellResult, 'stdout' | 'stderr' | 'truncated'>
}

/** Keeps the head and the tail of both streams, and forwards all output to `onOutput`. */
export function createKeeper({ maxBytes = DEFAULT_MAX_BYTES, onOutput }: ShellExecOptions): Keeper {
  const streams = { stdout: new HeadTail(maxBytes), stderr: new HeadTail(maxBytes) }
  let over = false
  return {
    push(output) {
      if (over || output.text === '') return
      streams[output.stream].push(output.text)
      try {
        onOutput?.(output)
      } catch {
        // An exception in a listener must not affect the command.
      }
    },
    finish() {
      over = true
      const [stdout, stderr] = [streams.stdout.finish(streamNote), streams.stderr.finish(streamNote)]
      return { stdout: stdout.text, stderr: stderr.text, truncated: stdout.cut + stderr.cut > 0 }
    },
  }
}
