// @module-tag shell-worker
import wasm from 'jq-wasm/jq.wasm?url'
import { workerCases } from './just-bash-worker-cases.js'

workerCases(true, () => new Worker(new URL('../../adapters/just-bash/worker.js', import.meta.url), { type: 'module' }), true, { wasm })
