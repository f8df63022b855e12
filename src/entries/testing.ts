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
export { type VirtualShellOptions, virtualShell } from './shared/virtual-shell.js'
export type { CassetteStart } from './testing/cassette/attach.js'
export {
  type Cassette,
  type CassetteOptions,
  type CassetteStorage,
  openCassette,
} from './testing/cassette/cassette.js'
export { CassetteError } from './testing/cassette/difference.js'
export { type CassetteReplay, type ReplayCassetteOptions, replayCassette } from './testing/cassette/replay.js'
export { evaluate } from './testing/evaluation/evaluate.js'
export { evaluationTable } from './testing/evaluation/table.js'
export type {
  EvaluatedModel,
  EvaluatedRun,
  EvaluateOptions,
  EvaluationAgent,
  EvaluationCase,
  EvaluationReport,
  EvaluationResult,
  EvaluationRun,
  EvaluationScore,
  EvaluationTokens,
  ModelOf,
} from './testing/evaluation/types.js'
export { type ForEachFaultOptions, forEachFault } from './testing/faults/for-each-fault.js'
export type { Fault, FaultKind, FaultOperation, Faults, FiredFault } from './testing/faults/plan.js'
export { type FaultyPort, withFaults } from './testing/faults/with-faults.js'
export type { ExpectedCall, WithCalls } from './testing/matchers/calls.js'
export { type ExpectedFiles, type SnapshotOptions, type WithFiles, type WithStart, workspaceSnapshot } from './testing/matchers/files.js'
export type { Expected, MatcherResult } from './testing/matchers/match.js'
export { assertions, matchers, type ToolportMatchers } from './testing/matchers/matchers.js'
export type { LanguageModelOptions, LanguageModelPart, LanguageModelResult, ScriptedLanguageModel } from './testing/model/ai-sdk.js'
export type { ModelMessage, ModelRequest } from './testing/model/request.js'
export { type ScriptedModel, scriptedModel } from './testing/model/scripted-model.js'
export type { ModelScript, ScriptedAnswer, ScriptedCall, ScriptedError, ScriptedStep } from './testing/model/step.js'
export { createTestHost, type TestHost, type TestHostOptions } from './testing/test-host.js'
export { createTestRuntime, type MadeCall, type TestRuntime, type TestRuntimeOptions } from './testing/test-runtime.js'
export { createTestWorkspace, type TestWorkspace, type TestWorkspaceOptions } from './testing/test-workspace.js'
