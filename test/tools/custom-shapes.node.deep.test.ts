// @module-tag custom-tools
import { createNodeJs, createNodeToolLoader } from 'toolport/adapters/node'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cleanUp, freshRoot, places, put, see } from './custom-node-fixture.js'
import { SHAPES, SOME_SHAPES } from './custom-shapes.js'

beforeEach(freshRoot)
afterEach(cleanUp)

const trusted = createNodeToolLoader()

describe('every supported form of a tool file', () => {
  it('loads in this process like in the sandbox', async () => {
    put(SHAPES)
    const sandbox = places(await see({ js: createQuickJs({ worker: false }) }, {}))
    const here = await see({}, { trusted })
    expect(places(here)).toEqual(sandbox)
    expect(Object.keys(here.tools)).toHaveLength(29)
  })

  it('loads in this process like in a Node process', async () => {
    put(SOME_SHAPES)
    const here = await see({}, { trusted })
    expect(await see({ js: createNodeJs() }, {})).toEqual(here)
    expect(Object.keys(here.tools)).toHaveLength(6)
  })
})
