export { createMcpHandler, type McpHandler, type McpHandlerOptions } from './mcp/http.js'
export { type IncomingMessageLike, type ServerResponseLike, toNodeListener } from './mcp/node-listener.js'
export { createMcpServer, type McpRoot, type McpServer, type McpServerOptions } from './mcp/server.js'
export { type McpStdioOptions, serveMcpStdio } from './mcp/stdio.js'
