import { HeadTail, streamNote } from '../../../src/ops/truncate.js'
import type { JsResult, JsRunOptions } from '../../../src/types/js.js'
import type { ShellOutput } from '../../../src/types/shell.js'

const DEFAULT_MAX_BYTES = 262_144

/** The output of a program as it comes in: it is here, whatever becomes of the engine. */
export interface KeptOutput {
  push(output: ShellOutput): void
  finish(): Pick<JsResult, 'stdout' | 'stderr' | 'truncated'>
}

export function createKeptOutput({ maxBytes = DEFAULT_MAX_BYTES, onOutput }: Pick<JsRunOptions, 'maxBytes' | 'onOutput'>): KeptOutput {
  const kept = { stdout: new HeadTail(maxBytes), stderr: new HeadTail(maxBytes) }
  return {
    push(output) {
      kept[output.stream].push(output.text)
      tell(onOutput, output)
    },
    finish() {
      const [stdout, stderr] = [kept.stdout.finish(streamNote), kept.stderr.finish(streamNote)]
      return { stdout: stdout.text, stderr: stderr.text, truncated: stdout.cut + stderr.cut > 0 }
    },
  }
}

/** What a listener throws is its own affair. */
export function tell(onOutput: JsRunOptions['onOutput'], output: ShellOutput): void {
  try {
    onOutput?.(output)
  } catch {
    // Ignored.
  }
}
