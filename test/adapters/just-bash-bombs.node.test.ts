// @module-tag virtual-shell
import { heapUsed } from './heap.js'
import { BOMBS, bombCases } from './just-bash-bombs-cases.js'

// One of each kind; the others are deep.
bombCases(
  BOMBS.filter(({ quick }) => quick),
  {},
  heapUsed,
)
