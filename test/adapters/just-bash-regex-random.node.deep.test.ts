// @module-tag virtual-shell
import { it } from 'vitest'
import { expectBackReferences } from './just-bash-regex-cases.js'

it('back references match like those of the JavaScript engine', () => expectBackReferences(3000))
