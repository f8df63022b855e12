export type KeyName =
  | 'enter'
  | 'newline'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'delete-word'
  | 'delete-to-start'
  | 'delete-to-end'
  | 'interrupt'
  | 'clear'
  | 'complete'
  | 'search'
  | 'escape'

/** A key, or text to insert (typed or pasted). Line ends of pasted text become `\n`. */
export type Key = { readonly name: KeyName } | { readonly text: string }

/** Terminal sequence -> key, following xterm and Emacs. */
const NAMES: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u001b\r': 'newline',
  '\u007f': 'backspace',
  '\u001b[3~': 'delete',
  '\u0004': 'delete',
  '\u001b[D': 'left',
  '\u0002': 'left',
  '\u001b[C': 'right',
  '\u0006': 'right',
  '\u001b[A': 'up',
  '\u0010': 'up',
  '\u001b[B': 'down',
  '\u000e': 'down',
  '\u001b[H': 'home',
  '\u0001': 'home',
  '\u001b[F': 'end',
  '\u0005': 'end',
  '\u001b[1;5D': 'word-left',
  '\u001b[1;3D': 'word-left',
  '\u001bb': 'word-left',
  '\u001b[1;5C': 'word-right',
  '\u001b[1;3C': 'word-right',
  '\u001bf': 'word-right',
  '\u0017': 'delete-word',
  '\b': 'delete-word',
  '\u001b\u007f': 'delete-word',
  '\u0015': 'delete-to-start',
  '\u000b': 'delete-to-end',
  '\u0003': 'interrupt',
  '\u000c': 'clear',
  '\t': 'complete',
  '\u0012': 'search',
  '\u001b': 'escape',
  '\u0007': 'escape',
}

const PASTE = '\u001b[200~'
const PASTE_END = '\u001b[201~'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const TOKEN = /\u001b\[[0-9;?]*[@-~]|\u001bO[@-~]|\u001b[^[O]?|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these would move the cursor where the editor does not know it.
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Parses terminal data into keys and text. Drops unknown sequences completely. */
export function parseKeys(data: string): Key[] {
  const start = data.indexOf(PASTE)
  if (start >= 0) {
    const end = data.indexOf(PASTE_END, start)
    const pasted = data.slice(start + PASTE.length, end < 0 ? undefined : end)
    const after = end < 0 ? '' : data.slice(end + PASTE_END.length)
    return [...parseKeys(data.slice(0, start)), { text: printable(pasted) }, ...parseKeys(after)]
  }
  return (data.match(TOKEN) ?? []).flatMap((token): Key[] => {
    // Arrows, Home and End have a second form, used in application cursor mode.
    const name = NAMES[token.replace('\u001bO', '\u001b[')]
    if (name) return [{ name }]
    return token >= ' ' && token !== '\u007f' ? [{ text: printable(token) }] : []
  })
}

function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNPRINTABLE, '')
}
