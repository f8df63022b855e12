// @module-tag webcontainer
import { sessionContract } from '../contract/index.js'
import { inContainer, inheriting } from './webcontainer-contract-support.js'

const NO_STTY = 'the bash in the fake knows no stty and no signal of a terminal'

/** Cases that the fake fails: its bash has no terminal; only its input and output go through one. */
const EXCEPT: Readonly<Record<string, string>> = {
  'terminal: it has one, of the size that was asked for': NO_STTY,
  'terminal: a new size reaches the command': NO_STTY,
  'terminal: without echo what is typed is not told': NO_STTY,
  'terminal: several at once keep their output apart': NO_STTY,
}

const runner = inheriting((alone, create) => sessionContract(alone, { name: 'alone', without: ['processes', 'pty'], create }))

sessionContract(runner, {
  name: 'webcontainer',
  create: () => inContainer({}),
  without: ['processes', 'separateStderr', 'state'],
  except: EXCEPT,
})
