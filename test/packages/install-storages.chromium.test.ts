// @module-tag install
import { it } from 'vitest'
import { indexedDbFs } from '../adapters/indexeddb-support.js'
import { opfs } from '../adapters/opfs-support.js'
import { installsOn } from './install-storages.js'

it('installs on IndexedDB', () => installsOn(indexedDbFs()))
it('installs on OPFS', () => installsOn(opfs()))
