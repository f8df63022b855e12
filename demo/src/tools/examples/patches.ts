import { type Known, repeatedLine, uniqueLine } from './known.js'

export interface PatchExample {
  readonly label: string
  readonly patch: string
}

/** Example patches for the files of the workspace, in both formats, including some that fail. */
export function patchExamples(known: Known): PatchExample[] {
  const found = uniqueLine(known)
  const twice = repeatedLine(known)
  const envelope = (body: string): string => `*** Begin Patch\n${body}\n*** End Patch\n`
  const added = '*** Add File: notes/patched.md\n+# Patched\n+\n+By a patch that was looked at first.'
  const readme = known.paths.includes('LICENSE') ? '\n*** Update File: LICENSE\n*** Move to: LICENSE.txt' : ''
  const moved = readme && firstLineHunk(known, 'LICENSE')
  return [
    ...(found
      ? [
          {
            label: 'Change, add and rename',
            patch: envelope(
              `*** Update File: ${found.path}\n@@\n-${found.line}\n+${found.line}\n+// Changed by a patch.\n${added}${moved ? readme + moved : ''}`,
            ),
          },
          { label: 'Unified diff', patch: unified(known, found.path, found.line) },
          {
            label: 'Lines that are not there',
            patch: envelope(`*** Update File: ${found.path}\n@@\n-${found.line.slice(0, -4)}???\n+something else`),
          },
        ]
      : [{ label: 'A new file', patch: envelope(added) }]),
    ...(twice
      ? [
          {
            label: 'Lines that are there twice',
            patch: envelope(`*** Update File: ${twice.path}\n@@\n-${twice.line}\n+${twice.line} // which one?`),
          },
        ]
      : []),
    { label: 'A broken patch', patch: '*** Begin Patch\n*** Change File: a.txt\n*** End Patch\n' },
  ]
}

/** A hunk that adds a line after the first one. */
function firstLineHunk({ texts }: Known, path: string): string | undefined {
  const line = texts.get(path)?.split(/\r?\n/)[0]
  return line ? `\n@@\n ${line}\n+(renamed by a patch)` : undefined
}

function unified({ texts }: Known, path: string, line: string): string {
  const lines = (texts.get(path) ?? '').split('\n')
  const at = lines.findIndex((one) => one.replace(/\r$/, '') === line)
  const from = Math.max(0, at - 2)
  const lead = lines.slice(from, at)
  const rest = lines.slice(at + 1, at + 3)
  // The empty string after the last line break is not a line.
  const trail = at + 3 >= lines.length && rest.at(-1) === '' ? rest.slice(0, -1) : rest
  const count = lead.length + 1 + trail.length
  const body = [...lead.map((one) => ` ${one}`), `-${lines[at]}`, `+${lines[at]} // changed`, ...trail.map((one) => ` ${one}`)]
  return `--- a/${path}\n+++ b/${path}\n@@ -${from + 1},${count} +${from + 1},${count} @@\n${body.join('\n')}\n`
}
