const TypedArray = Object.getPrototypeOf(Uint8Array)

/** Compares like `assert.deepStrictEqual` (`strict`) or `assert.deepEqual`. */
function equal(a, b, strict, seen = new Map()) {
  if (strict ? Object.is(a, b) : a == b || (a !== a && b !== b)) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (Array.isArray(a) !== Array.isArray(b) || Object.prototype.toString.call(a) !== Object.prototype.toString.call(b)) return false
  if (seen.get(a) === b) return true
  seen.set(a, b)
  if (a instanceof Date) return a.getTime() === b.getTime() && keysEqual(a, b, strict, seen)
  if (a instanceof RegExp) return String(a) === String(b) && a.lastIndex === b.lastIndex
  if (a instanceof Error && (a.message !== b.message || a.name !== b.name)) return false
  for (const Class of [Number, String, Boolean, BigInt, Symbol]) {
    if (a instanceof Class && !(b instanceof Class && Object.is(a.valueOf(), b.valueOf()))) return false
  }
  if (a instanceof TypedArray) return a.length === b.length && a.every((value, at) => Object.is(value, b[at]))
  if (a instanceof ArrayBuffer) return equal(new Uint8Array(a), new Uint8Array(b), strict, seen)
  if (a instanceof Set) {
    if (a.size !== b.size) return false
    for (const item of a) if (!b.has(item) && ![...b].some((other) => equal(item, other, strict, new Map(seen)))) return false
  }
  if (a instanceof Map) {
    if (a.size !== b.size) return false
    for (const [key, item] of a) {
      const found = b.has(key) ? [key, b.get(key)] : [...b].find(([other]) => equal(key, other, strict, new Map(seen)))
      if (!found || !equal(item, found[1], strict, seen)) return false
    }
  }
  return keysEqual(a, b, strict, seen)
}

function keysEqual(a, b, strict, seen) {
  const keys = Object.keys(a)
  if (Array.isArray(a) && a.length !== b.length) return false
  if (keys.length !== Object.keys(b).length) return false
  const symbols = (value) => Object.getOwnPropertySymbols(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))
  const all = strict ? [...keys, ...symbols(a)] : keys
  if (strict && symbols(a).length !== symbols(b).length) return false
  return all.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key], strict, seen))
}

module.exports = { equal }
