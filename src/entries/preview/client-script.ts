import { previewClient } from './client.js'
import { clientEvents } from './client-events.js'
import { clientStyles } from './client-styles.js'
import { clientText } from './client-text.js'
import { clientView } from './client-view.js'
import { clientXhr } from './client-xhr.js'
import type { ClientConfig } from './protocol.js'

/** The name of the client script in stacks. Shown stacks omit the frames of this script. */
export const CLIENT_NAME = '__toolport/client.js'

/**
 * Returns the client script as text. The script defines `__name`, a helper whose calls bundlers insert around functions to keep their
 * names.
 */
export function clientScript(config: ClientConfig): string {
  const settings = JSON.stringify(config).replaceAll('<', '\\u003c')
  const parts = `{text:${clientText},view:${clientView},styles:${clientStyles},events:${clientEvents},xhr:${clientXhr}}`
  return `(()=>{const __name=(f)=>f;(${previewClient})(${settings},${parts})})()\n//# sourceURL=${CLIENT_NAME}\n`
}
