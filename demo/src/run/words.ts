/** Splits arguments at blanks, like a shell. Single and double quotes group words. */
export function splitArguments(line: string): string[] {
  const words = line.match(/(?:"[^"]*"?|'[^']*'?|[^\s"'])+/g) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"?|'([^']*)'?/g, (_, double?: string, single?: string) => double ?? single ?? ''))
}
