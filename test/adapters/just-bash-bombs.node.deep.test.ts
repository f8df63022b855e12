// @module-tag virtual-shell
import { heapUsed } from './heap.js'
import { BOMBS, bombCases } from './just-bash-bombs-cases.js'

bombCases(
  BOMBS.filter(({ quick }) => !quick),
  {},
  heapUsed,
)
