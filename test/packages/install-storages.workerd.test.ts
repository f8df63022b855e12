// @module-tag install
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { inside } from '../adapters/durable-object-support.workerd.js'
import { installsOn } from './install-storages.js'

inside('installs in a Durable Object', (storage) => installsOn(createDurableObjectFs({ storage })))
