export { diffCheckpoints, listCheckpoints, makeCheckpoint } from './access.js'
export { restoreCheckpoint } from './restore.js'
