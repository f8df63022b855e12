async function buffer(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
const arrayBuffer = async (stream) => {
  const bytes = await buffer(stream)
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
}
const text = async (stream) => (await buffer(stream)).toString()
const json = async (stream) => globalThis.JSON.parse(await text(stream))
const blob = async (stream) => new Blob([await buffer(stream)])
module.exports = { arrayBuffer, blob, buffer, json, text }
