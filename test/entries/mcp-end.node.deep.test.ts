// @module-tag mcp
import { mcpEndCases } from './mcp-end-cases.js'

mcpEndCases('virtual', ['SIGTERM', "its client's death"])
