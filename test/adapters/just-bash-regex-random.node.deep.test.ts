// @module-tag virtual-shell
import { it } from 'vitest'
import { expectBackReferences } from './just-bash-regex-cases.js'

it('finds a back reference where the engine of the runtime finds it', () => expectBackReferences(3000))
