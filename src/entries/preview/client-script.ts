import { previewClient } from './client.js'
import type { ClientConfig } from './protocol.js'

/** The name by which stacks show the client script, which positions leave out. */
export const CLIENT_NAME = '__toolport/client.js'

/** The client script as text. `__name` is what bundlers that keep names put around functions. */
export function clientScript(config: ClientConfig): string {
  const settings = JSON.stringify(config).replaceAll('<', '\\u003c')
  return `(()=>{const __name=(f)=>f;(${previewClient.toString()})(${settings})})()\n//# sourceURL=${CLIENT_NAME}\n`
}
