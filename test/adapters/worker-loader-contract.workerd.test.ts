// @module-tag worker-loader
import { jsContract } from 'toolport/testing'
import { describe, it } from 'vitest'
import { made } from './worker-loader-support.workerd.js'

jsContract(
  { describe, it },
  {
    name: 'worker-loader',
    create: () => made(),
    skip: {
      'ends a program at its time, keeps what it has printed, and runs the next one':
        'a loop that gives way to nothing is ended by the platform, by its processor time; the local runtime counts none, and has one thread',
    },
  },
)
