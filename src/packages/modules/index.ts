export { resolveBin } from './bin.js'
export { createModuleLoader, DEFAULT_CONDITIONS } from './loader.js'
export type {
  Extension,
  LoadedModule,
  ModuleFault,
  ModuleGraph,
  ModuleKind,
  ModuleLoader,
  ModuleLoaderOptions,
  ModuleProgram,
  Resolution,
  Span,
} from './types.js'
