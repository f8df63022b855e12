import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { describe } from 'vitest'
import { fsContract } from '../contract/index.js'
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
  { name: 'durable object', create: () => createDurableObjectFs({ storage }) },
)
