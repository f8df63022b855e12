import { serveJs } from './hosted/serve.js'

export type { WorkerPort } from '../shared/worker/worker-like.js'
export { serveJs } from './hosted/serve.js'

serveJs()
