export {
  ContractError,
  type FsContractOptions,
  type FsPart,
  fsContract,
  type JsContractOptions,
  type JsUnderTest,
  jsContract,
  type SessionContractOptions,
  type SessionPart,
  type ShellContractOptions,
  type ShellPart,
  type ShellUnderTest,
  sessionContract,
  shellContract,
  type TestRunner,
} from '../../test/contract/index.js'
export { createTestHost, type TestHost, type TestHostOptions } from './testing/test-host.js'
export { createTestWorkspace, type TestWorkspace, type TestWorkspaceOptions } from './testing/test-workspace.js'
