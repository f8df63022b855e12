// @module-tag shell-worker
import { BOMBS, bombCases } from './just-bash-bombs-cases.js'
import { shellWorkers } from './node-workers.js'

bombCases(BOMBS, { worker: await shellWorkers() })
