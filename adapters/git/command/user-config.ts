import type { ShellCommandContext } from '../../../src/types/shell.js'
import { parseConfig } from '../config-file.js'

/** Configuration of the user, which is separate from that of the repository. */
type Values = Map<string, string>

const decoder = new TextDecoder()
const globalPath = ({ env }: ShellCommandContext): string => `${env.HOME || '/home'}/.gitconfig`

export async function readGlobal(context: ShellCommandContext): Promise<Values> {
  return new Map(parseConfig(decoder.decode(await context.fs.readFileBuffer(globalPath(context)).catch(() => undefined))))
}

export async function writeGlobal(context: ShellCommandContext, values: Values): Promise<void> {
  const sections = new Map<string, string[]>()
  for (const [key, value] of values) {
    const [, section = '', sub, name] = /^([^.]+)\.(?:(.*)\.)?([^.]+)$/.exec(key) ?? []
    const head = sub === undefined ? `[${section}]` : `[${section} "${sub}"]`
    sections.set(head, [...(sections.get(head) ?? []), `\t${name} = ${value}`])
  }
  const text = [...sections].map(([head, lines]) => `${head}\n${lines.join('\n')}\n`).join('')
  await context.fs.writeFile(globalPath(context), text)
}
