// @module-tag archives
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { inside } from '../adapters/durable-object-support.workerd.js'
import { sameSnapshot, takenBack } from './archive-storages.js'

inside('a snapshot of a Durable Object has the recorded bytes', (storage) => sameSnapshot(() => createDurableObjectFs({ storage })))
inside('a failed import leaves nothing in a Durable Object', (storage) => takenBack(() => createDurableObjectFs({ storage })))
