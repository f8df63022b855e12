// `read` and `write` with all forms of their arguments.
const input = require('./given.cjs')
const { outOfRange, wrongType } = require('./errors.cjs')
const { checkDescriptor, reading, writing } = require('./descriptors.cjs')

const DEFAULT_BYTES = 16384
const viewOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
function checkView(buffer) {
  if (!ArrayBuffer.isView(buffer)) throw wrongType('"buffer" argument', 'an instance of Buffer, TypedArray, or DataView', buffer)
}
function check(name, value, most) {
  if (!Number.isInteger(value)) throw wrongType(`"${name}" argument`, 'of type number', value)
  if (value < 0) throw outOfRange(name, '>= 0', value)
  if (value > most) throw outOfRange(name, `<= ${most}`, value)
}
/** Parses `(buffer, offset, length, position)`, `(buffer, options)` or `(options)`. */
function target(given) {
  let [buffer, ...rest] = given
  if (!ArrayBuffer.isView(buffer) && (buffer === undefined || buffer === null || typeof buffer === 'object')) {
    rest = [buffer ?? {}]
    buffer = rest[0].buffer ?? Buffer.alloc(DEFAULT_BYTES)
  }
  checkView(buffer)
  const options = typeof rest[0] === 'object' && rest[0] !== null ? rest[0] : { offset: rest[0], length: rest[1], position: rest[2] }
  const offset = options.offset ?? 0
  const length = options.length ?? buffer.byteLength - offset
  check('offset', offset, buffer.byteLength)
  check('length', length, buffer.byteLength - offset)
  return { buffer, offset, length, position: options.position }
}
/** Parses `(text, position, encoding)`, or one of the forms of `target`. */
function source(given) {
  const [data, ...rest] = given
  if (typeof data === 'string') return { data, bytes: input.bytesOf(data, rest[1] ?? undefined), position: rest[0] }
  if (!ArrayBuffer.isView(data))
    throw wrongType('"buffer" argument', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
  const { offset, length, position } = target(given)
  return { data, bytes: viewOf(data).slice(offset, offset + length).buffer, position }
}
function describeRead(descriptor, { buffer, offset, length, position }) {
  checkDescriptor(descriptor)
  return reading(descriptor, length, position, (bytes) => {
    viewOf(buffer).set(bytes, offset)
    return bytes.length
  })
}
const describeWrite = (descriptor, { bytes, position }) => writing(descriptor, bytes, position)

function scattered(views) {
  if (!Array.isArray(views)) throw wrongType('"buffers" argument', 'an instance of ArrayBufferView[]', views)
  views.forEach(checkView)
  return views.reduce((sum, view) => sum + view.byteLength, 0)
}
function describeReadv(descriptor, views, position) {
  return reading(descriptor, scattered(views), position, (bytes) => {
    let at = 0
    for (const view of views) {
      viewOf(view).set(bytes.subarray(at, at + view.byteLength))
      at += view.byteLength
    }
    return bytes.length
  })
}
function describeWritev(descriptor, views, position) {
  scattered(views)
  return writing(descriptor, input.bytesOf(Buffer.concat(views.map(viewOf))), position)
}
module.exports = { target, source, describeRead, describeWrite, describeReadv, describeWritev }
