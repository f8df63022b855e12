import type { Access } from '../../types/workspace.js'
import { type Arg, isGlob, isHome, programName } from './args.js'
import type { PathRules } from './path-rules.js'
import { mayBeParent } from './path-text.js'

const READERS = new Set(
  [
    'cat ls grep egrep fgrep rg find fd head tail wc du df file stat diff cmp sort uniq cut nl od xxd hexdump tree test [ basename dirname',
    'realpath readlink md5sum sha1sum sha256sum sha512sum cksum strings less more jq echo printf pwd date column comm join paste tac rev fold',
  ].flatMap((line) => line.split(' ')),
)

/** Returns why an argument is rejected as a path; undefined if all arguments are allowed. `texts` has the arguments that are not paths. */
export function argumentProblem(
  name: string,
  args: readonly Arg[],
  rules: PathRules,
  cwd: string | undefined,
  texts: ReadonlySet<Arg> = new Set(),
): string | undefined {
  const program = programName(name)
  for (const [i, arg] of args.entries()) {
    const isText = texts.has(arg)
    if (isText && !isGlob(arg) && !isHome(arg)) continue
    for (const path of isText ? [arg.text] : pathsIn(arg, rules.hasInside)) {
      if (path === '/dev/null') continue
      for (const access of accessOf(program, i === args.length - 1)) {
        const problem = rules.problem(path, access, cwd, isGlob(arg))
        if (problem !== undefined) return `the path "${path}" is not allowed: ${problem}`
      }
    }
  }
  return undefined
}

/** Returns how a program accesses a path: only `read` for programs that only read, by position for `cp`, otherwise both. */
function accessOf(program: string, isLast: boolean): readonly Access[] {
  if (READERS.has(program)) return ['read']
  if (program === 'cp') return isLast ? ['write'] : ['read']
  return ['read', 'write']
}

/**
 * Returns the parts of an argument that may be paths: the argument, the parts after `=`, `:` and `,`, and a value joined to a short option.
 */
function pathsIn(arg: Arg, all: boolean): readonly string[] {
  const { text } = arg
  const found = new Set<string>()
  const add = (part: string, isWhole: boolean): void => {
    const path = part.replace(/^[@+!^]+(?=[/~.])/, '')
    if (path !== '' && (looksLikePath(path, isWhole ? arg : undefined) || (all && !path.startsWith('-')))) found.add(path)
  }
  // Do not check URLs as paths. But check a URL with `..`: a real URL needs no `..`, and as a file name it would be a path traversal.
  if (!isUrl(text) || text.split('/').includes('..')) add(text, true)
  const joined = /^-[A-Za-z0-9]+((?:\.{0,2}\/|~|\.\.$).*)$/s.exec(text)?.[1]
  if (joined !== undefined) add(joined, false)
  for (const part of text.split(/[=,]/)) {
    const local = /^file:\/*(\/.*)$/is.exec(part)?.[1]
    if (local !== undefined) add(local, false)
    else if (!isUrl(part)) for (const piece of part === text ? part.split(':').slice(1) : part.split(':')) add(piece, false)
  }
  return [...found]
}

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)

function looksLikePath(text: string, whole: Arg | undefined): boolean {
  if (text.startsWith('~')) return whole === undefined || isHome(whole)
  if (/^(?:\/|\\\\|[a-z]:[/\\]|\.\.?\\)/i.test(text)) return true
  if (/\.\.%2f|\.\.%5c|%2e%2e/i.test(text)) return true
  if (!text.includes('.')) return false
  const globs = whole !== undefined && isGlob(whole)
  return text.split('/').some((part) => part === '..' || (globs && mayBeParent(part)))
}
