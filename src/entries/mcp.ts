export { createMcpHandler, type McpHandler, type McpHandlerOptions, type McpRuntimes } from './mcp/http.js'
export { type IncomingMessageLike, type ServerResponseLike, toNodeListener } from './mcp/node-listener.js'
export type { McpConnection } from './mcp/senders.js'
export { createMcpServer, type McpRoot, type McpServer, type McpServerOptions } from './mcp/server.js'
