type Escapes = Readonly<Record<string, string>>

/** What a letter behind a backslash stands for in C, and so in most commands. */
export const CONTROL_ESCAPES: Escapes = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
}

/** Those of bash: in `$'...'` and of its `printf`. */
export const BASH_ESCAPES: Escapes = { ...CONTROL_ESCAPES, e: '\x1b', E: '\x1b', '"': '"', "'": "'", '?': '?' }
