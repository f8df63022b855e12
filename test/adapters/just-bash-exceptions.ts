/** What the library does otherwise than bash, or has not. */
export const EXCEPT: Readonly<Record<string, string>> = {
  'exit code: a syntax error in a later line leaves the lines before it': 'just-bash reads the whole command before it runs any of it',
  'arithmetic: 64 bits': 'just-bash counts with the numbers of JavaScript',
  'globs: extglob': 'just-bash parses no extglob',
  'flow: for without in goes over the arguments': 'just-bash splits the arguments of a for without in',
  'UTF-8: escapes of eight digits': "just-bash knows no \\U in $''",
  'bytes: what is no UTF-8 becomes U+FFFD': 'printf of just-bash gives characters for \\ooo, not bytes',
  'bytes: tr maps a NUL': 'tr of just-bash knows no \\0',
  'exec: a reader that ends early ends an endless writer': 'just-bash runs the parts of a pipe one after the other',
}
