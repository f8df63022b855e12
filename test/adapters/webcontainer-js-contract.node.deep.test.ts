// @module-tag webcontainer
import { describe, it } from 'vitest'
import { type JsUnderTest, jsContract } from '../contract/js.js'
import { type JsInContainer, jsInContainer } from './webcontainer-disk.js'

async function dispose(made: JsUnderTest): Promise<void> {
  await made.js.close?.()
  await made.workspace.close()
  ;(made as JsInContainer).container.dispose()
}

// Concurrent, because starting processes takes most of the time.
jsContract({ describe, it: it.concurrent }, { name: 'webcontainer', create: () => jsInContainer(), dispose })
