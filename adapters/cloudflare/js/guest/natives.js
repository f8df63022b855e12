// The modules of Node that the Worker provides, and that give no access to the network or to other data of the host.
import * as assert from 'node:assert'
import * as assertStrict from 'node:assert/strict'
import * as asyncHooks from 'node:async_hooks'
import * as buffer from 'node:buffer'
import * as diagnostics from 'node:diagnostics_channel'
import * as events from 'node:events'
import * as path from 'node:path'
import * as posix from 'node:path/posix'
import * as punycode from 'node:punycode'
import * as querystring from 'node:querystring'
import * as stream from 'node:stream'
import * as streamPromises from 'node:stream/promises'
import * as decoder from 'node:string_decoder'
import * as url from 'node:url'
import * as util from 'node:util'
import * as types from 'node:util/types'
import * as zlib from 'node:zlib'

const own = (module) => module.default ?? module

/** The values that `require` returns, by module name. `scripts/vendor-worker-loader.mjs` reads the names. */
export const natives = {
  assert: own(assert),
  'assert/strict': own(assertStrict),
  async_hooks: own(asyncHooks),
  buffer: own(buffer),
  diagnostics_channel: own(diagnostics),
  events: own(events),
  path: own(path),
  'path/posix': own(posix),
  punycode: own(punycode),
  querystring: own(querystring),
  stream: own(stream),
  'stream/promises': own(streamPromises),
  string_decoder: own(decoder),
  url: own(url),
  util: own(util),
  'util/types': own(types),
  zlib: own(zlib),
}
