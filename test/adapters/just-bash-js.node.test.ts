// @module-tag virtual-shell
import { createQuickJs } from 'toolport/adapters/quickjs'
import { jsCommandCases } from './just-bash-js-cases.js'
import { jsWorkers, shellWorkers } from './node-workers.js'
import { only } from './some-cases.js'

const js = createQuickJs({ worker: await jsWorkers() })
const shellWorker = await shellWorkers()

jsCommandCases('quickjs in threads', { js })
jsCommandCases(
  'quickjs and shell in threads',
  { js, worker: () => shellWorker() },
  only(/^(prints as|ends with the call$|reads what is written|is told signals)/),
)
