// @module-tag opfs
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { opfs } from '../storages/declared/opfs.js'
import { contractSetup, oddWorker } from './opfs-support.js'

// In browsers without `move`, the adapter replaces a file's content itself.
const worker = oddWorker({ without: ['move'] })
fsContract({ describe, it }, { ...contractOf(opfs), name: 'opfs where files cannot be moved', ...contractSetup({ worker }) })
