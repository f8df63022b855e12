import { HeadTail, streamNote } from '../../../src/ops/truncate.js'
import type { ShellExecOptions, ShellOutput, ShellResult } from '../../../src/types/shell.js'
import type { Stop } from '../../shared/process/stop.js'

const DEFAULT_MAX_BYTES = 256 * 1024

/** Keeps the head and the tail of both streams. Forwards all output to `onOutput`. */
export interface Keeper {
  push(output: ShellOutput): void
  result(
    exitCode: number | null,
    stop: Stop | undefined,
  ): Pick<ShellResult, 'exitCode' | 'stdout' | 'stderr' | 'timedOut' | 'aborted' | 'truncated'>
}

export function createKeeper({ maxBytes = DEFAULT_MAX_BYTES, onOutput }: Pick<ShellExecOptions, 'maxBytes' | 'onOutput'>): Keeper {
  const streams = { stdout: new HeadTail(maxBytes), stderr: new HeadTail(maxBytes) }
  const tell = heard(onOutput)
  return {
    push(output) {
      streams[output.stream].push(output.text)
      tell(output)
    },
    result(exitCode, stop) {
      const stdout = streams.stdout.finish(streamNote)
      const stderr = streams.stderr.finish(streamNote)
      return {
        exitCode,
        stdout: stdout.text,
        stderr: stderr.text,
        timedOut: stop?.reason === 'timeout',
        aborted: stop?.reason === 'abort',
        truncated: stdout.cut > 0 || stderr.cut > 0,
      }
    },
  }
}

export function heard(onOutput: ((output: ShellOutput) => void) | undefined): (output: ShellOutput) => void {
  return (output) => {
    try {
      onOutput?.(output)
    } catch {
      // An exception in a listener must not affect the command.
    }
  }
}
