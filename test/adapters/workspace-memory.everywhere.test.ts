// @module-tag workspace-memory
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe } from 'vitest'
import { workspaceMemoryCases } from './workspace-memory-cases.js'

describe('the memory of a workspace', () => workspaceMemoryCases(async () => ({ fs: createMemoryFs() })))
