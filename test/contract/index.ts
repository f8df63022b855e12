export type { FsPart } from './fs/case.js'
export { type FsContractOptions, fsContract } from './fs.js'
export { ContractError, type TestRunner } from './runner.js'
