import { headUnits, utf8Length } from '../../ops/utf8.js'
import type { ShellOutput } from '../../types/shell.js'
import type { ToolContext } from '../../types/tool.js'

/** Creates a function that passes on output as it arrives: the first `maxBytes` of each stream, then a note that there is more. */
export function streamProgress(progress: ToolContext['progress'], maxBytes: number): (output: ShellOutput) => void {
  const left = { stdout: maxBytes, stderr: maxBytes }
  return ({ stream, text }) => {
    const room = left[stream]
    if (room < 0) return
    const bytes = utf8Length(text)
    const shown = bytes <= room ? text : text.slice(0, headUnits(text, room))
    if (shown !== '') progress({ stream, text: shown })
    left[stream] -= bytes
    if (bytes > room) progress({ stream, truncated: true })
  }
}
