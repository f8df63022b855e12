// Variables that examples of README.md and docs use without declaring them, because the text explains them. Only the examples see them.
declare const workspace: import('toolport').Workspace
declare const runtime: import('toolport').ToolRuntime
declare const fs: import('toolport').FsAdapter
declare const scratch: import('toolport').FsAdapter
declare const js: import('toolport').JsAdapter
declare const shell: import('toolport').ShellAdapter
declare const tools: import('toolport').AnyTool[]
declare const files: Record<string, string>
declare const file: Blob
declare const id: string
declare const token: string
declare const ctx: import('toolport/cloudflare').WorkerContext
/** Used in docs/clients.md. */
declare const adapter: import('@tanstack/ai').AnyTextAdapter
/** Used in docs/presets.md. */
declare const wire: (call: import('toolport').ToolCall) => Promise<unknown>
// Clients, models and terminals from other packages.
// biome-ignore lint/suspicious/noExplicitAny: the examples show our side
declare const client: any, model: any, messages: any[], betas: any, max_tokens: any, terminal: any, draw: any, directoryOf: any

declare module 'cloudflare:workers' {
  export class DurableObject {
    ctx: import('toolport/cloudflare').WorkerContext
  }
}

/** `@mastra/core` is not among our dependencies. test/package/mastra.node.deep.test.ts installs it. */
declare module '@mastra/core/agent' {
  export class Agent {
    constructor(options: { id: string; name: string; instructions: string; model: string; tools?: object; workspace?: object })
    generate(prompt: string): Promise<{ text: string }>
  }
}
declare module '@mastra/core/workspace' {
  type Errors = import('toolport/formats').MastraErrors
  export class Workspace {
    constructor(options: { filesystem: object; sandbox: object })
  }
  export const FilesystemError: Errors['FilesystemError']
  export const FileNotFoundError: Errors['FileNotFoundError']
  export const DirectoryNotFoundError: Errors['DirectoryNotFoundError']
  export const FileExistsError: Errors['FileExistsError']
  export const IsDirectoryError: Errors['IsDirectoryError']
  export const NotDirectoryError: Errors['NotDirectoryError']
  export const DirectoryNotEmptyError: Errors['DirectoryNotEmptyError']
  export const StaleFileError: Errors['StaleFileError']
}
