/** A piece of a line with its CSS class. No class: plain text. */
export interface Token {
  readonly text: string
  readonly kind?: string
}

const KEYWORDS =
  'abstract|as|asserts|async|await|break|case|catch|class|const|continue|declare|default|delete|do|else|enum|export|extends|false|finally|for|from|function|if|implements|import|in|infer|instanceof|interface|is|keyof|let|namespace|new|null|of|override|private|protected|public|readonly|return|satisfies|set|get|static|super|switch|this|throw|true|try|type|typeof|undefined|unique|var|void|while|with|yield'

// The matching group determines the kind. Every alternative consumes what it scans, so the scan takes linear time.
const SCRIPT = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))`,
    String.raw`(?<string>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|${'`'}(?:\\[\s\S]|[^${'`'}\\])*${'`'}?)`,
    String.raw`(?<regexp>(?<=[=(,:[!&|?{};\n] ?|return )\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*)`,
    String.raw`(?<number>\b(?:0[xob][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)n?\b)`,
    String.raw`(?<keyword>\b(?:${KEYWORDS})\b(?!\s*:))`,
    String.raw`(?<type>\b[A-Z]\w*\b)`,
    String.raw`(?<call>\b[a-z_$][\w$]*(?=\())`,
  ].join('|'),
  'g',
)
const JSON_TEXT =
  /(?<type>"(?:\\.|[^"\\\n])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\\n])*"?)|(?<number>-?\b\d[\d.eE+-]*\b)|(?<keyword>\b(?:true|false|null)\b)/g
const MARKDOWN =
  /(?<comment>^```[^\n]*$)|(?<keyword>^#{1,6} [^\n]*$)|(?<string>`[^`\n]+`)|(?<call>\[[^\]\n]*\]\([^)\n]*\))|(?<type>\*\*[^*\n]+\*\*)/gm

const GRAMMARS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'].map((extension) => [extension, SCRIPT])),
  json: JSON_TEXT,
  jsonl: JSON_TEXT,
  md: MARKDOWN,
}

/** Longer texts are not highlighted. */
const MAX_CHARACTERS = 300_000

/** The tokens of each line. Undefined for unknown file types and long texts. */
export function highlight(path: string, lines: readonly string[]): readonly Token[][] | undefined {
  const grammar = GRAMMARS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
  const text = lines.join('\n')
  if (!grammar || text.length > MAX_CHARACTERS) return undefined
  const result: Token[][] = [[]]
  let from = 0
  for (const match of text.matchAll(grammar)) {
    push(result, text.slice(from, match.index))
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0]
    push(result, match[0], kind)
    from = match.index + match[0].length
  }
  push(result, text.slice(from))
  return result
}

/** Adds a piece, which may span several lines. */
function push(lines: Token[][], text: string, kind?: string): void {
  text.split('\n').forEach((piece, index) => {
    if (index > 0) lines.push([])
    if (piece) lines.at(-1)?.push(kind ? { text: piece, kind } : { text: piece })
  })
}
