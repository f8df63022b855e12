import type { Workspace } from '../session.js'

const MOST_FILES = 6
const MOST_BYTES = 4096
const MOST_TOOL_BYTES = 32_768
const MOST_NAMES = 60
const LONGEST_NAME = 300
/** Only the beginning of a longer text is searched for paths, up to this many characters. */
const LOOKED_THROUGH = 20_000

/** Small text files that an input names, as a path or inside a patch or command. Relative path -> text. */
export async function namedFiles(workspace: Workspace, input: unknown): Promise<Record<string, string>> {
  const found = new Map<string, string>()
  for (const name of namesIn(input).slice(0, MOST_NAMES)) {
    if (found.size === MOST_FILES) break
    const file = await smallFile(workspace, name).catch(() => undefined)
    if (file) found.set(file.path, file.text)
  }
  return Object.fromEntries(found)
}

const OWN_TOOLS = '.toolport/tools'

/** The files of the workspace's own tools that mention this tool. */
export async function ownToolFiles(workspace: Workspace, tool: string): Promise<Record<string, string>> {
  const entries = await workspace.list(OWN_TOOLS).catch(() => [])
  const files = await Promise.all(
    entries.map(async ({ name }) => {
      const file = await smallFile(workspace, `${OWN_TOOLS}/${name}`, MOST_TOOL_BYTES).catch(() => undefined)
      return file?.text.includes(tool) ? file : undefined
    }),
  )
  return Object.fromEntries(files.flatMap((file) => (file ? [[file.path, file.text]] : [])))
}

async function smallFile(
  workspace: Workspace,
  name: string,
  most: number = MOST_BYTES,
): Promise<{ path: string; text: string } | undefined> {
  const { kind, size } = await workspace.stat(name)
  if (kind !== 'file' || size > most) return undefined
  const { text } = await workspace.readText(name)
  return { path: workspace.relative(workspace.resolve(name)), text }
}

/** All strings that may be a path, without duplicates. */
function namesIn(input: unknown): string[] {
  const names = textsIn(input).flatMap((text) => {
    const start = text.slice(0, LOOKED_THROUGH)
    const patched = [...start.matchAll(/^(?:\*\*\* (?:Update|Delete) File: |--- (?:a\/)?|(?:rename|copy) from )(.{1,300}?)[ \t\r]{0,9}$/gm)]
    return [text, ...patched.map(([, path = '']) => path), ...start.split(/[\s'"`;|&<>()=]+/)]
  })
  return [...new Set(names)].filter((name) => name !== '' && name.length <= LONGEST_NAME && !name.includes('\n'))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
