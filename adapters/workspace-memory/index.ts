export {
  createWorkspaceMemory,
  type MemoryNote,
  type WorkspaceMemory,
  type WorkspaceMemoryEntry,
  type WorkspaceMemoryOptions,
} from './workspace-memory.js'
