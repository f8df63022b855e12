/** Parses recorded cases, one JSON value per line. */
export function parseJsonLines<Case>(text: string): Case[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
