import { serveMcpStdio } from 'toolport/mcp/stdio'
import { loopingRuntime } from './mcp.js'

const runtime = loopingRuntime()
runtime.on(({ type }) => {
  if (type === 'call_end') process.stderr.write('ended\n')
})
await serveMcpStdio(runtime)
