// @module-tag virtual-shell
import { heapUsed } from './heap.js'
import { BOMBS, bombCases } from './just-bash-bombs-cases.js'

// One bomb of each kind; the deep test runs all.
bombCases(
  BOMBS.filter(({ quick }) => quick),
  {},
  heapUsed,
)
