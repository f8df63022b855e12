const { FormData, File, formDataToBlob } = require('formdata-polyfill/esm.min.js')
const { Blob } = require('fetch-blob')

/** Converts bytes to text with one character per byte, to search in it. */
const latin = (bytes) => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return text
}
const wrong = () => new TypeError('Failed to parse body as FormData.')
const unescaped = (name) => name.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%22/g, '"')

/** @throws {TypeError} if the bytes are not multipart data with this boundary */
function parseMultipart(bytes, boundary) {
  const form = new FormData()
  const text = latin(bytes)
  const mark = `--${boundary}`
  let at = text.indexOf(mark)
  if (at === -1) throw wrong()
  for (;;) {
    at += mark.length
    if (text.startsWith('--', at)) return form
    const end = text.indexOf(`\r\n${mark}`, at)
    const head = text.indexOf('\r\n\r\n', at)
    if (end === -1 || head === -1 || head > end) throw wrong()
    const headers = new TextDecoder().decode(bytes.subarray(at, head))
    const name = /^content-disposition:\s*form-data;.*?\bname="([^"]*)"/im.exec(headers)?.[1]
    if (name === undefined) throw wrong()
    const filename = /\bfilename="([^"]*)"/i.exec(headers)?.[1]
    const content = bytes.slice(head + 4, end)
    if (filename === undefined) form.append(unescaped(name), new TextDecoder().decode(content))
    else {
      const type = /^content-type:[ \t]*(.*?)[ \t]*$/im.exec(headers)?.[1] ?? 'text/plain'
      form.append(unescaped(name), new File([content], unescaped(filename), { type }))
    }
    at = end + 2
  }
}

/** @throws {TypeError} for another content type, or for bytes that do not match it */
function parseForm(bytes, type) {
  const [kind = ''] = type.toLowerCase().split(';', 1)
  if (kind.trim() === 'application/x-www-form-urlencoded') {
    const form = new FormData()
    for (const [name, value] of new URLSearchParams(new TextDecoder().decode(bytes))) form.append(name, value)
    return form
  }
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type)
  if (kind.trim() !== 'multipart/form-data' || !boundary)
    throw new TypeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".')
  return parseMultipart(bytes, boundary[1] ?? boundary[2])
}

module.exports = { Blob, File, FormData, formDataToBlob, parseForm }
