/** Reads recorded cases, of which a file holds one per line. */
export function parseJsonLines<Case>(text: string): Case[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
