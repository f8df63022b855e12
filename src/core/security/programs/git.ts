import { type Arg, mayBecomeOption } from '../args.js'
import { FINE, findOption, type Inspection, MEDIUM } from './inspection.js'

const list = (names: string): ReadonlySet<string> => new Set(names.split(' '))

const CHANGES = list(
  'commit push reset clean rebase merge cherry-pick revert branch checkout switch tag stash pull fetch rm mv restore am apply worktree clone init gc prune repack notes remote submodule bisect sparse-checkout update-ref update-index symbolic-ref reflog replace maintenance lfs read-tree write-tree commit-tree hash-object mktag pack-refs bundle format-patch',
)
const READS = list(
  'add status log diff show blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog cat-file for-each-ref show-ref show-branch name-rev merge-base diff-tree diff-index diff-files range-diff whatchanged count-objects check-ignore check-attr check-mailmap fsck verify-commit verify-tag version help archive cherry patch-id merge-tree stripspace column interpret-trailers',
)
/** By command in `CHANGES`: the arguments with which the command only lists or shows something. */
const LISTINGS: Readonly<Record<string, RegExp>> = {
  branch: /^(?:-[arv]+|-vv|--all|--remotes|--list|--show-current|--verbose|--(?:no-)?merged|--contains)$/,
  tag: /^(?:-l|-n\d*|--list|--contains)$/,
  stash: /^(?:list|show)$/,
  remote: /^(?:-v|--verbose|show|get-url)$/,
  worktree: /^list$/,
  reflog: /^show$/,
  notes: /^(?:list|show)$/,
  submodule: /^(?:status|summary)$/,
  bundle: /^(?:list-heads|verify)$/,
  bisect: /^(?:log|view)$/,
  lfs: /^(?:ls-files|status|env)$/,
}
/** Commands that only list if they have no arguments. */
const BARE_LISTINGS = list('branch tag remote notes reflog')

/** Commands that take the options of `git diff`, such as `--output`, which writes a file. */
const DIFFS =
  'diff log show diff-tree diff-index diff-files whatchanged stash reflog range-diff shortlog rev-list blame annotate bisect'.split(' ')

/** Matches an argument of joined short options that contains one of the options in `RUNS`. */
const CLUSTERS: Readonly<Record<string, RegExp>> = {
  clone: /^-[^-objd]*[cu]/,
  rebase: /^-[^-sXCSr]*x/,
  grep: /^-[^-efmABC]*O/,
}

const REMOTE = ['--upload-pack', '--receive-pack', '--exec']
/** Options that run or configure a program, by subcommand. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  clone: ['-c', '--config', '-u', '--upload-pack', '--template'],
  init: ['--template'],
  fetch: REMOTE,
  pull: ['--upload-pack', '-x', '--exec'],
  push: REMOTE,
  'ls-remote': REMOTE,
  archive: ['--exec', '--remote', '--output', '-o'],
  ...Object.fromEntries(DIFFS.map((verb) => [verb, ['--output']])),
  apply: ['--unsafe-paths'],
  'hash-object': ['--stdin-paths'],
  rebase: ['-x', '--exec'],
  grep: ['-O', '--open-files-in-pager'],
  'interpret-trailers': ['--trailer'],
  'format-patch': ['--to-cmd', '--cc-cmd'],
}
const MESSAGES = list('commit tag merge stash notes')
/** Commands for which a file name that looks like an option can only cause an error. */
const GLOBS = list('add rm mv diff status restore stash checkout show log blame ls-files')

/** Checks the global options, which precede the subcommand, and then the subcommand with its arguments. */
export function inspectGit(args: readonly Arg[]): Inspection {
  let i = 0
  for (let text = args[i]?.text; text?.startsWith('-'); text = args[i]?.text) {
    if (/^(?:--version|-v|--help|-h|--html-path|--man-path|--info-path)$/.test(text)) return FINE
    if (/^(?:-C|--git-dir|--work-tree|--namespace)$/.test(text)) i += 2
    else if (
      /^(?:--no-pager|--no-replace-objects|--bare|--(?:no-)?(?:literal|glob|noglob|icase)-pathspecs|--no-optional-locks|-P)$/.test(text)
    )
      i++
    else if (/^--(?:git-dir|work-tree|namespace)=/.test(text)) i++
    else if (/^(?:-c|--config-env|--exec-path)/.test(text))
      return { problem: `with ${/^-+[a-z-]+/.exec(text)?.[0]} can run another program` }
    else return { problem: `with the option "${text}" before the subcommand cannot be checked` }
  }
  const verb = args[i]?.text
  return verb === undefined ? FINE : inspectVerb(verb, args.slice(i + 1))
}

function inspectVerb(verb: string, args: readonly Arg[]): Inspection {
  if (verb === 'config' || verb.startsWith('config.')) return { problem: 'config can set what other git commands run' }
  if (verb.startsWith('alias')) return { problem: 'aliases can run any program' }
  if (!READS.has(verb) && !CHANGES.has(verb)) {
    return { problem: `${verb} is not among the git commands that can be checked: it may be an alias, or run another program` }
  }
  const problem = verbProblem(verb, args)
  if (problem !== undefined) return { problem }
  const look = isListing(verb, args) ? FINE : MEDIUM
  const texts = MESSAGES.has(verb) ? messagesIn(args) : undefined
  return texts ? { ...look, texts } : look
}

function verbProblem(verb: string, args: readonly Arg[]): string | undefined {
  const first = args[0]?.text ?? ''
  if (verb === 'submodule' && args.some(({ text }) => text === 'foreach')) return 'submodule foreach runs another command'
  if (verb === 'bisect' && first === 'run') return 'bisect run runs another command'
  if (args.some(({ text }) => text.startsWith('alias.'))) return 'aliases can run any program'
  if (args.some(({ text }) => /^(?:ext|fd)::/.test(text) || /=(?:ext|fd)::/.test(text)))
    return 'with an "ext::" address runs another program'
  if (args.some(({ text }) => /^--ext-d/.test(text))) return 'with --ext-diff runs another program'
  const option = findOption(args, RUNS[verb] ?? []) ?? clusterIn(args, CLUSTERS[verb])
  if (option !== undefined) return `${verb} with ${option} runs another program or sets one`
  if (!GLOBS.has(verb) && args.some(mayBecomeOption)) return `${verb} with a glob that may become an option: begin it with "./"`
  return undefined
}

function clusterIn(args: readonly Arg[], cluster: RegExp | undefined): string | undefined {
  const end = args.findIndex(({ text }) => text === '--')
  return args.slice(0, end < 0 ? undefined : end).find(({ text }) => cluster?.test(text))?.text
}

function isListing(verb: string, args: readonly Arg[]): boolean {
  if (READS.has(verb)) return true
  const [first] = args
  if (!first) return BARE_LISTINGS.has(verb)
  if (verb === 'branch') return args.every(({ text }) => LISTINGS.branch?.test(text))
  return LISTINGS[verb]?.test(first.text) ?? false
}

/** Returns the arguments with the values of `-m` and `--message`. */
function messagesIn(args: readonly Arg[]): ReadonlySet<Arg> {
  return new Set(args.filter(({ text }, i) => /^(?:-[a-z]*m|--message)$/.test(args[i - 1]?.text ?? '') || text.startsWith('--message=')))
}
