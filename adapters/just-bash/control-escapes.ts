type Escapes = Readonly<Record<string, string>>

/** The escape letters of C, which most commands use. */
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

/** The escapes of bash, in `$'...'` and in its `printf`. */
export const BASH_ESCAPES: Escapes = { ...CONTROL_ESCAPES, e: '\x1b', E: '\x1b', '"': '"', "'": "'", '?': '?' }
