/** The arguments in a line, as a shell would part them at blanks: quotes of both kinds hold together what they enclose. */
export function splitArguments(line: string): string[] {
  const words = line.match(/(?:"[^"]*"?|'[^']*'?|[^\s"'])+/g) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"?|'([^']*)'?/g, (_, double?: string, single?: string) => double ?? single ?? ''))
}
