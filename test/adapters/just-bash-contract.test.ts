import { createWorkspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, it } from 'vitest'
import { shellContract } from '../contract/index.js'

/** What the library does otherwise than bash, or has not. */
const EXCEPT: Readonly<Record<string, string>> = {
  'files: ls -l begins with the kind and the mode': 'ls -l of just-bash shows one fixed mode',
  'files: rm of a link leaves its target': 'rm of just-bash takes a link to a directory for the directory',
  'files: cmp is silent about what is the same': 'just-bash has no cmp',
  'files: ls of several names': 'ls of just-bash puts an empty line between the names it is given',
  'files: diff of two files': 'diff of just-bash knows the unified form only',
  'files: diff -u shows hunks': 'diff of just-bash puts a line of = before the header',
  'files: mktemp gives a file of its own': 'just-bash has no mktemp',
  'files: tar packs and lists': 'the build of just-bash for browsers has no tar',
  'files: gzip and back': 'the build of just-bash for browsers has no gzip',
  'pipes: sort, uniq -c, sort -rn, head': 'uniq -c of just-bash pads to 4 columns, not to 7',
  'pipes: sort with LC_ALL=C goes by bytes': 'sort of just-bash goes by locale, whatever LC_ALL says',
  'pipes: grep -r names the files': 'grep -r of just-bash leaves out the ./ of a path',
  'pipes: od shows bytes': 'od of just-bash ignores -tx1',
  'pipes: paste without a file reads its input': 'paste of just-bash wants a file or -',
  'pipes: yes into head': 'just-bash has no yes',
  'redirection: 2>&1 joins the streams in order': 'just-bash joins the streams of a group only when it ends',
  'redirection: < /dev/null is empty': 'just-bash takes an empty input for none and passes on that of the command',
  'exit code: a syntax error in a later line leaves the lines before it': 'just-bash reads the whole command before it runs any of it',
  'exit code: trap EXIT runs at the end': 'just-bash has no trap',
  'exit code: wait has that of a background command': 'just-bash runs & in the foreground and forgets its status',
  'arithmetic: 64 bits': 'just-bash counts with the numbers of JavaScript',
  'braces: a long range is whole': 'just-bash cuts ranges at 10,000',
  'globs: */ is directories only': 'just-bash takes */ for *',
  'globs: extglob': 'just-bash parses no extglob',
  'quoting: a command in a variable is split into words': 'just-bash takes the value for one word where it is the command',
  'flow: a function in a substitution in arithmetic': 'just-bash knows no function in a substitution in arithmetic',
  'flow: for without in goes over the arguments': 'just-bash splits the arguments of a for without in',
  'UTF-8: escapes of eight digits': "just-bash knows no \\U in $''",
  'bytes: what is no UTF-8 becomes U+FFFD': 'printf of just-bash gives characters for \\ooo, not bytes',
  'bytes: tr maps a NUL': 'tr of just-bash knows no \\0',
  'bytes: printf writes them into a file': 'printf of just-bash gives characters for \\ooo, not bytes',
  'stdin: what one command took the next does not get': 'just-bash gives the whole input to each command that reads it, but read',
  'exec: a reader that ends early ends an endless writer': 'just-bash runs the parts of a pipe one after the other',
}

shellContract(
  { describe, it },
  {
    name: 'just-bash',
    create: () => {
      const workspace = createWorkspace({ fs: createMemoryFs() })
      return { workspace, shell: createJustBashShell({ scratch: createMemoryFs() })(workspace) }
    },
    without: ['processes'],
    except: EXCEPT,
  },
)
