// @module-tag workspace-memory
import { describe } from 'vitest'
import { directory } from '../presets/directory.js'
import { workspaceMemoryCases } from './workspace-memory-cases.js'

describe('the memory of a workspace in a directory', () => workspaceMemoryCases(directory))
