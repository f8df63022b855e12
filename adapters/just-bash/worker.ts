import { serveShell } from './host/serve.js'

export { type ShellPort, serveShell } from './host/serve.js'

serveShell()
