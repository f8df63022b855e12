// The public list, chosen by hand. Adapters, presets and entries have their own subpaths.

// Tools and registry
export { defineTool, reply } from './core/define-tool.js'
export { defaultLimits } from './core/limits.js'
export { createToolRegistry } from './core/registry.js'
export { toModelText } from './core/result.js'
export type { ToolRegistry } from './core/tool-registry.js'
export type { FsErrorCode } from './errors/index.js'
// Errors
export {
  FsError,
  InputError,
  JsError,
  NetworkError,
  PolicyError,
  RegistryError,
  ShellError,
  UnsupportedError,
  WorkspaceError,
} from './errors/index.js'
export { systemHost } from './host.js'
export { createLocalServers } from './local-servers.js'
export type { ManagedInstall, ManagedReport, PackageManager } from './packages/install/index.js'
export type { CreateRuntimeOptions, PortOption } from './runtime/compose-runtime.js'
// Runtime
export { createRuntime } from './runtime/create-runtime.js'
export { ToolCallError } from './runtime/tool-call-error.js'
export type { ToolRuntimeOptions } from './runtime/tool-runtime.js'
export { ToolRuntime } from './runtime/tool-runtime.js'
export type {
  CustomToolMakerOptions,
  CustomToolsHost,
  CustomToolsOptions,
  LoadCustomToolsOptions,
  LoadedCustomTools,
} from './tools/custom/index.js'
export { customTools, loadCustomTools } from './tools/custom/index.js'
export { fileTools } from './tools/files/index.js'
export type { JsToolGrants, JsToolsOptions } from './tools/js/index.js'
export { jsTools } from './tools/js/index.js'
export { metaTools } from './tools/meta/index.js'
export { previewTools } from './tools/preview/index.js'
export { searchTools } from './tools/search/index.js'
export { shellTools } from './tools/shell/index.js'
export type { SecretHeaders, WebToolsOptions } from './tools/web/index.js'
export { webTools } from './tools/web/index.js'
// Ports and types
export type * from './types/checkpoint.js'
export type * from './types/fs.js'
export type * from './types/host.js'
export type * from './types/js.js'
export type * from './types/ports.js'
export type * from './types/preset.js'
export type { Bundler, PreviewAdapter } from './types/preview.js'
export type * from './types/runtime.js'
export type * from './types/servers.js'
export type * from './types/session.js'
export type * from './types/shell.js'
export type * from './types/tool.js'
export type * from './types/trusted-tools.js'
export type * from './types/workspace.js'
// Workspace
export { createWorkspace } from './workspace/create-workspace.js'
export type { NodeDirent, NodeStats } from './workspace/facades/node-stats.js'
export type { BashEntry, BashFs, BashFsOptions } from './workspace/facades/to-bash-fs.js'
export { toBashFs } from './workspace/facades/to-bash-fs.js'
export type { NodeFsPromises } from './workspace/facades/to-node-fs.js'
export { toNodeFs } from './workspace/facades/to-node-fs.js'
export type { MountedFsOptions } from './workspace/mounts/mounted-fs.js'
export { createMountedFs } from './workspace/mounts/mounted-fs.js'
export { type Branch, type BranchOptions, branchWorkspace } from './workspace/overlay/branch.js'
export type { CommitOptions, Committed } from './workspace/overlay/commit.js'
export type { CommitConflict } from './workspace/overlay/conflicts.js'
export { createOverlayFs, type OverlayChanges, type OverlayFs, type OverlayFsOptions } from './workspace/overlay/overlay-fs.js'
