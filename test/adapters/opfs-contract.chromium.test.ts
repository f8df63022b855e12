// @module-tag opfs
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { opfs } from '../storages/declared/opfs.js'
import { contractSetup } from './opfs-support.js'

fsContract({ describe, it }, { ...contractOf(opfs), ...contractSetup() })
