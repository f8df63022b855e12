import { HeadTail, streamNote } from '../../src/ops/truncate.js'
import type { ShellExecOptions, ShellOutput, ShellResult } from '../../src/types/shell.js'

const DEFAULT_MAX_BYTES = 256 * 1024

type Finished = Pick<ShellResult, 'stdout' | 'stderr' | 'truncated'>

/** The output of a command or program: the head and the tail of both streams. */
export interface OutputBuffer {
  /** Adds output, and forwards it to `onOutput`. */
  push(output: ShellOutput): void
  /** Ends both streams and returns their text. Output that arrives later is dropped. */
  finish(): Finished
  /** Finishes, and returns the result of a command that was stopped. */
  stopped(
    reason: 'timeout' | 'abort' | undefined,
  ): Finished & { readonly exitCode: null; readonly timedOut: boolean; readonly aborted: boolean }
}

/** Collects the output of a command or program, up to `maxBytes` per stream. */
export function createOutputBuffer({
  maxBytes = DEFAULT_MAX_BYTES,
  onOutput,
}: Pick<ShellExecOptions, 'maxBytes' | 'onOutput'>): OutputBuffer {
  const streams = { stdout: new HeadTail(maxBytes), stderr: new HeadTail(maxBytes) }
  const tell = safeListener(onOutput)
  let over = false
  const finish = (): Finished => {
    over = true
    const [stdout, stderr] = [streams.stdout.finish(streamNote), streams.stderr.finish(streamNote)]
    return { stdout: stdout.text, stderr: stderr.text, truncated: stdout.cut + stderr.cut > 0 }
  }
  return {
    push(output) {
      if (over || output.text === '') return
      streams[output.stream].push(output.text)
      tell(output)
    },
    finish,
    stopped: (reason) => ({ exitCode: null, ...finish(), timedOut: reason === 'timeout', aborted: reason !== 'timeout' }),
  }
}

/** Returns a function that forwards output to a listener. An exception in the listener does not affect the command. */
export function safeListener(onOutput: ShellExecOptions['onOutput']): (output: ShellOutput) => void {
  return (output) => {
    try {
      onOutput?.(output)
    } catch {
      // An exception in a listener must not affect the command.
    }
  }
}
