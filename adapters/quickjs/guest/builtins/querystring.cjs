const parse = (text) => {
  const found = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) found[name] = name in found ? [].concat(found[name], value) : value
  return found
}
const stringify = (value) =>
  Object.entries(value ?? {})
    .flatMap(([name, item]) => [].concat(item).map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`))
    .join('&')
module.exports = { parse, stringify, decode: parse, encode: stringify, escape: encodeURIComponent, unescape: decodeURIComponent }
