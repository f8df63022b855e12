// @module-tag same-bytes
import { describe, it } from 'vitest'
import { DURABLE_IN_CHROMIUM } from '../in-chromium.js'
import { expectSame } from './differential.js'

describe('one script of calls gives the same bytes on every storage in Chromium', () => {
  it.each(Object.entries(DURABLE_IN_CHROMIUM))('%s', async (_, create) => {
    await expectSame(create(`same-${crypto.randomUUID()}`))
  })
})
