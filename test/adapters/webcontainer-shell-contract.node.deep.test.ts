// @module-tag webcontainer
import { shellContract } from '../contract/index.js'
import { inContainer, inheriting } from './webcontainer-contract-support.js'

const NO_TRAP = 'the end is told by a last line, as the shell of a container is not known to have traps: exit leaves that out'
const NO_CRLF = 'a terminal makes CR LF of LF, so that what was CR LF before is told as LF too'
const BY_ENV = 'the variables are what `env` prints, which the command has replaced'

/** Cases for features that a container's shell is not known to have. */
const EXCEPT: Readonly<Record<string, string>> = {
  'cwd: of the result after cd and exit': NO_TRAP,
  'cwd: of the result after set -e ended it': NO_TRAP,
  'env: of the result after exit': NO_TRAP,
  'env: of the result after set -e ended it': NO_TRAP,
  'env: of the result shows nothing of how it was found': BY_ENV,
  'bytes: a byte order mark and CRLF stay': NO_CRLF,
  'form: CRLF is no line break': NO_CRLF,
  'form: a final backslash': 'a line of our own stands behind the command',
  'onOutput: hears errors, and lines out of a loop and a function, while the command runs': 'errors in a file are told at the end',
}

/** Cases that fail because the fake bash's `env` prints unexported variables, and because `cd` in a pipe affects later commands. */
const OF_THE_FAKE = [
  'cwd: of the result does not follow a subshell',
  'env: of the result has what is exported, and only that',
  'env: of the result lacks what was unset',
  'env and cwd: of a result carry the state on',
  'env and cwd: carry nothing but exported variables',
]

const runner = inheriting((alone, create) => shellContract(alone, { name: 'alone', without: ['processes'], create }), OF_THE_FAKE)

shellContract(runner, {
  name: 'webcontainer, errors in a file',
  create: () => inContainer({ stderr: 'file' }),
  without: ['processes'],
  except: EXCEPT,
})
