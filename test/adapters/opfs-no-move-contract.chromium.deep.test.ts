// @module-tag opfs
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { opfs } from '../storages/declared/opfs.js'
import { contractSetup, oddWorker } from './opfs-support.js'

// Browsers without `move` put a new content in the place of the old one themselves.
const worker = oddWorker({ without: ['move'] })
fsContract({ describe, it }, { ...contractOf(opfs), name: 'opfs where files cannot be moved', ...contractSetup({ worker }) })
