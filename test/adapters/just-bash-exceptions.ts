/** Title of a contract case that just-bash fails -> reason. */
export const EXCEPT: Readonly<Record<string, string>> = {
  'exit code: a syntax error in a later line leaves the lines before it': 'just-bash reads the whole command before it runs any of it',
  'exec: a reader that ends early ends an endless writer': 'just-bash runs the parts of a pipe one after the other',
}
