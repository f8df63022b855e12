// @module-tag durable-object
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { describe } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { durableObject } from '../storages/declared/durable-object.js'
import { inside } from './durable-object-support.workerd.js'

let storage: DurableObjectStorage

fsContract(
  {
    describe,
    it: (title, body) =>
      inside(title, (own) => {
        storage = own
        return body()
      }),
  },
  { ...contractOf(durableObject), create: () => createDurableObjectFs({ storage }) },
)
