import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { fromBase64, toBase64 } from '../../ops/base64.js'
import { decodeUtf8, encodeUtf8 } from '../../ops/utf8.js'
import { RequestError } from './request-error.js'

/**
 * Returns the cursor of the page after the item `last`. The cursor contains `list`, so that `readCursor` rejects the cursor of another
 * list.
 */
export function cursorAfter(list: string, last: string): string {
  return toBase64(encodeUtf8(`${list}\0${last}`))
}

/**
 * Returns the last item of the previous page. @throws {RequestError} InvalidParams for a cursor that `cursorAfter` did not create for this
 * list
 */
export function readCursor(list: string, cursor: string): string {
  const bytes = fromBase64(cursor)
  const text = bytes && decodeUtf8(bytes)
  const start = `${list}\0`
  if (text?.startsWith(start) && cursorAfter(list, text.slice(start.length)) === cursor) return text.slice(start.length)
  throw new RequestError(
    ErrorCode.InvalidParams,
    `Cannot continue ${list}: the cursor does not belong to this list. Send the request without a cursor.`,
  )
}
