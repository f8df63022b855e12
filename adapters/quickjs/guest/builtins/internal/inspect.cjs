// Formats values as text, like `util.inspect` of Node.
const IDENTIFIER = /^[a-zA-Z_][a-zA-Z_0-9]*$/
const ESCAPED = /[\x00-\x1f\x27\x5c\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const SHORT = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\' }
const OBJECT = 0
const LIST = 2
const TypedArray = Object.getPrototypeOf(Uint8Array)
const typedArrayName = Object.getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag).get
const MapIterator = Object.getPrototypeOf(new Map()[Symbol.iterator]())
const SetIterator = Object.getPrototypeOf(new Set()[Symbol.iterator]())
const custom = Symbol.for('nodejs.util.inspect.custom')
const DEFAULTS = {
  depth: 2,
  breakLength: 80,
  compact: 3,
  showHidden: false,
  sorted: false,
  getters: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  colors: false,
  numericSeparator: false,
}

/** Set by `core.cjs`: returns the state of a promise, which only the host can see. */
const engine = { promise: undefined }

function inspect(value, options, ...old) {
  const context = { ...DEFAULTS, budget: {}, indentation: 0, seen: [], currentDepth: 0, circular: undefined }
  if (typeof options === 'boolean') {
    context.showHidden = options
    if (old[0] !== undefined) context.depth = old[0]
  } else if (options) for (const key of Object.keys(options)) if (key in DEFAULTS) context[key] = options[key]
  if (context.maxArrayLength === null) context.maxArrayLength = Infinity
  if (context.maxStringLength === null) context.maxStringLength = Infinity
  if (context.depth === null) context.depth = Infinity
  context.userOptions = options
  return formatValue(context, value, 0)
}
inspect.custom = custom
inspect.defaultOptions = DEFAULTS

function escapeCharacter(character) {
  if (character in SHORT) return SHORT[character]
  const code = character.charCodeAt(0)
  return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`
}

function quoted(text) {
  let quote = "'"
  if (text.includes("'")) {
    if (!text.includes('"')) quote = '"'
    else if (!text.includes('`') && !text.includes('${')) quote = '`'
  }
  const inner = text.replace(ESCAPED, (found) => (found === "'" ? (quote === "'" ? "\\'" : "'") : escapeCharacter(found)))
  return quote + inner + quote
}

const formatNumber = (value) => (Object.is(value, -0) ? '-0' : `${value}`)

function formatPrimitive(context, value) {
  if (typeof value === 'string') {
    let trailer = ''
    if (value.length > context.maxStringLength) {
      const left = value.length - context.maxStringLength
      value = value.slice(0, context.maxStringLength)
      trailer = `... ${left} more character${left > 1 ? 's' : ''}`
    }
    if (context.compact !== true && value.length > 16 && value.length > context.breakLength - context.indentation - 4) {
      return (
        value
          .split(/(?<=\n)/)
          .map(quoted)
          .join(` +\n${' '.repeat(context.indentation + 2)}`) + trailer
      )
    }
    return quoted(value) + trailer
  }
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'symbol') return Symbol.prototype.toString.call(value)
  return `${value}`
}

function formatValue(context, value, depth) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return formatPrimitive(context, value)
  let own
  try {
    own = value[custom]
  } catch {}
  if (typeof own === 'function' && own !== inspect && !(value.constructor && value.constructor.prototype === value)) {
    const { budget: _, seen: __, circular: ___, ...options } = context
    const result = own.call(
      value,
      context.depth - depth,
      { ...options, ...context.userOptions, depth: context.depth - depth, stylize: String },
      inspect,
    )
    if (result !== value)
      return typeof result === 'object' && result !== null
        ? formatValue(context, result, depth)
        : `${result}`.replaceAll('\n', `\n${' '.repeat(context.indentation)}`)
  }
  if (context.seen.includes(value)) {
    context.circular ??= new Map()
    if (!context.circular.has(value)) context.circular.set(value, context.circular.size + 1)
    return `[Circular *${context.circular.get(value)}]`
  }
  return formatRaw(context, value, depth)
}

function constructorName(object) {
  const first = object
  let found
  while (object) {
    const descriptor = Object.getOwnPropertyDescriptor(object, 'constructor')
    if (descriptor && typeof descriptor.value === 'function' && descriptor.value.name !== '' && isInstance(first, descriptor.value)) {
      return `${descriptor.value.name}`
    }
    object = Object.getPrototypeOf(object)
    if (found === undefined) found = object
  }
  return null
}

function isInstance(object, constructor) {
  try {
    return object instanceof constructor
  } catch {
    return false
  }
}

function prefixOf(constructor, tag, fallback, size = '') {
  if (constructor === null) {
    if (tag !== '' && fallback !== tag) return `[${fallback}${size}: null prototype] [${tag}] `
    return `[${fallback}${size}: null prototype] `
  }
  return tag !== '' && constructor !== tag ? `${constructor}${size} [${tag}] ` : `${constructor}${size} `
}

function keysOf(value, showHidden) {
  const symbols = Object.getOwnPropertySymbols(value)
  let keys
  if (showHidden) return [...Object.getOwnPropertyNames(value), ...symbols]
  try {
    keys = Object.keys(value)
  } catch {
    keys = Object.getOwnPropertyNames(value)
  }
  return symbols.length ? [...keys, ...symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))] : keys
}

const isIndex = (key) => typeof key === 'string' && /^(0|[1-9][0-9]*)$/.test(key) && key < 2 ** 32 - 1
const is = (value, method, ...given) => {
  try {
    method.call(value, ...given)
    return true
  } catch {
    return false
  }
}
const sizeOf = (Class) => Object.getOwnPropertyDescriptor(Class.prototype, 'size').get
const [mapSize, setSize] = [sizeOf(Map), sizeOf(Set)]
const bufferLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get
const types = {
  isMap: (value) => is(value, mapSize),
  isSet: (value) => is(value, setSize),
  isDate: (value) => is(value, Date.prototype.getTime),
  isRegExp: (value) => value instanceof RegExp,
  isNativeError: (value) => value instanceof Error,
  isPromise: (value) => value instanceof Promise,
  isTypedArray: (value) => value !== null && typeof value === 'object' && typedArrayName.call(value) !== undefined,
  isUint8Array: (value) => value !== null && typeof value === 'object' && typedArrayName.call(value) === 'Uint8Array',
  isArrayBuffer: (value) => is(value, bufferLength),
  isAnyArrayBuffer: (value) => is(value, bufferLength),
  isDataView: (value) => ArrayBuffer.isView(value) && !types.isTypedArray(value),
  isArrayBufferView: (value) => ArrayBuffer.isView(value),
  isAsyncFunction: (value) => typeof value === 'function' && Object.prototype.toString.call(value) === '[object AsyncFunction]',
  isGeneratorFunction: (value) => typeof value === 'function' && /Generator/.test(Object.prototype.toString.call(value)),
  isGeneratorObject: (value) => Object.prototype.toString.call(value) === '[object Generator]',
  isWeakMap: (value) => value instanceof WeakMap,
  isWeakSet: (value) => value instanceof WeakSet,
  isBoxedPrimitive: (value) => boxed(value) !== undefined,
  isProxy: () => false,
  isModuleNamespaceObject: (value) =>
    value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === null && value[Symbol.toStringTag] === 'Module',
}

function boxed(value) {
  for (const [Class, name] of [
    [Number, 'Number'],
    [String, 'String'],
    [Boolean, 'Boolean'],
    [BigInt, 'BigInt'],
    [Symbol, 'Symbol'],
  ]) {
    if (value instanceof Class && is(value, Class.prototype.valueOf)) return [name, Class.prototype.valueOf.call(value)]
  }
}

function formatRaw(context, value, depth) {
  const constructor = constructorName(value)
  let tag = ''
  try {
    tag = value[Symbol.toStringTag]
  } catch {}
  if (typeof tag !== 'string' || (tag !== '' && tag === constructor)) tag = ''
  let keys
  let base = ''
  let braces = ['{', '}']
  let kind = OBJECT
  let formatter = () => []
  const bare = () => keys.length === 0
  if (Array.isArray(value)) {
    keys = keysOf(value, context.showHidden).filter((key) => !isIndex(key))
    const prefix = constructor !== 'Array' || tag !== '' ? prefixOf(constructor, tag, 'Array', `(${value.length})`) : ''
    braces = [`${prefix}[`, ']']
    if (value.length === 0 && bare()) return `${braces[0]}]`
    kind = LIST
    formatter = formatArray
  } else if (types.isSet(value)) {
    keys = keysOf(value, context.showHidden)
    const prefix = prefixOf(constructor, tag, 'Set', `(${setSize.call(value)})`)
    if (setSize.call(value) === 0 && bare()) return `${prefix}{}`
    braces[0] = `${prefix}{`
    formatter = formatSet
  } else if (types.isMap(value)) {
    keys = keysOf(value, context.showHidden)
    const prefix = prefixOf(constructor, tag, 'Map', `(${mapSize.call(value)})`)
    if (mapSize.call(value) === 0 && bare()) return `${prefix}{}`
    braces[0] = `${prefix}{`
    formatter = formatMap
  } else if (types.isTypedArray(value)) {
    keys = keysOf(value, context.showHidden).filter((key) => !isIndex(key))
    const fallback = typedArrayName.call(value)
    braces = [`${prefixOf(constructor, tag, fallback, `(${value.length})`)}[`, ']']
    if (value.length === 0 && bare()) return `${braces[0]}]`
    kind = LIST
    formatter = formatTyped
  } else if (Object.getPrototypeOf(value) === MapIterator || Object.getPrototypeOf(value) === SetIterator) {
    keys = keysOf(value, context.showHidden)
    braces[0] = `[${tag}] {`
    formatter = () => ['<items unknown>']
  } else {
    keys = keysOf(value, context.showHidden)
    if (Object.prototype.toString.call(value) === '[object Arguments]') {
      braces[0] = '[Arguments] {'
      if (bare()) return `${braces[0]}}`
    } else if (constructor === 'Object' && typeof value !== 'function' && !(value instanceof Error)) {
      if (tag !== '') braces[0] = `${prefixOf(constructor, tag, 'Object')}{`
      if (bare()) return `${braces[0]}}`
    } else if (typeof value === 'function') {
      base = functionBase(value, constructor, tag)
      if (bare()) return base
    } else if (types.isRegExp(value)) {
      base = RegExp.prototype.toString.call(value)
      const prefix = prefixOf(constructor, tag, 'RegExp')
      if (prefix !== 'RegExp ') base = `${prefix}${base}`
      if (bare() || depth > context.depth) return base
    } else if (types.isDate(value)) {
      base = Number.isNaN(Date.prototype.getTime.call(value)) ? Date.prototype.toString.call(value) : Date.prototype.toISOString.call(value)
      const prefix = prefixOf(constructor, tag, 'Date')
      if (prefix !== 'Date ') base = `${prefix}${base}`
      if (bare()) return base
    } else if (value instanceof Error) {
      base = formatError(value, constructor, context, keys)
      if (bare()) return base
    } else if (types.isArrayBuffer(value) || (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer)) {
      const name = types.isArrayBuffer(value) ? 'ArrayBuffer' : 'SharedArrayBuffer'
      if (bare()) return formatBuffer(context, value, prefixOf(constructor, tag, name))
      braces[0] = `${prefixOf(constructor, tag, name)}{`
    } else if (types.isDataView(value)) {
      braces[0] = `${prefixOf(constructor, tag, 'DataView')}{`
      keys = ['byteLength', 'byteOffset', 'buffer', ...keys]
    } else if (types.isPromise(value)) {
      braces[0] = `${prefixOf(constructor, tag, 'Promise')}{`
      formatter = formatPromise
    } else if (value instanceof WeakSet || value instanceof WeakMap) {
      braces[0] = `${prefixOf(constructor, tag, value instanceof WeakSet ? 'WeakSet' : 'WeakMap')}{`
      formatter = () => ['<items unknown>']
    } else if (types.isModuleNamespaceObject(value)) {
      braces[0] = '[Module: null prototype] {'
      formatter = () => []
    } else if (boxed(value)) {
      const [name, primitive] = boxed(value)
      base = `[${name}${constructor !== name ? (constructor === null ? ' (null prototype)' : ` (${constructor})`) : ''}: ${formatPrimitive({ ...context, compact: true }, primitive)}]`
      if (name === 'String') keys = keys.filter((key) => !isIndex(key))
      if (bare()) return base
    } else {
      if (bare()) return `${prefixOf(constructor, tag, 'Object')}{}`
      braces[0] = `${prefixOf(constructor, tag, 'Object')}{`
    }
  }
  if (depth > context.depth)
    return `[${Array.isArray(value) && constructor === 'Array' ? 'Array' : prefixOf(constructor, tag, Array.isArray(value) ? 'Array' : 'Object').slice(0, -1)}]`
  context.seen.push(value)
  context.currentDepth = depth
  const output = formatter(context, value, depth + 1)
  for (const key of keys) output.push(formatProperty(context, value, depth + 1, key, kind))
  context.seen.pop()
  const reference = context.circular?.get(value)
  if (reference !== undefined) base = base === '' ? `<ref *${reference}>` : `<ref *${reference}> ${base}`
  if (context.sorted) output.sort(context.sorted === true ? undefined : context.sorted)
  return joined(context, output, base, braces, kind, depth, value)
}

function functionBase(value, constructor, tag) {
  const source = Function.prototype.toString.call(value)
  if (/^class[\s{]/.test(source) && source.endsWith('}')) return classBase(value, constructor, tag)
  const name = Object.prototype.toString.call(value)
  const kind = /^\[object (AsyncGeneratorFunction|AsyncFunction|GeneratorFunction)\]$/.exec(name)?.[1] ?? 'Function'
  let base = `[${kind}${constructor === null ? ' (null prototype)' : ''}`
  base += value.name === '' ? ' (anonymous)]' : `: ${value.name}]`
  if (constructor !== kind && constructor !== null && constructor !== 'Function') base += ` ${constructor}`
  if (tag !== '' && constructor !== tag && tag !== kind) base += ` [${tag}]`
  return base
}

function classBase(value, constructor, tag) {
  const name = Object.hasOwn(value, 'name') ? value.name : ''
  let base = name ? `class ${name}` : 'class (anonymous)'
  if (constructor !== 'Function' && constructor !== null) base += ` [${constructor}]`
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`
  if (constructor !== null) {
    const superName = Object.getPrototypeOf(value).name
    if (superName) base += ` extends ${superName}`
  } else base += ' extends null'
  return `[${base}]`
}

/** Shortens the frames at the end of a stack to the first ten. */
function shortened(stack) {
  const lines = stack.split('\n')
  let frames = 0
  while (frames < lines.length && lines[lines.length - 1 - frames].startsWith('    at ')) frames++
  return frames > 10 ? lines.slice(0, lines.length - frames + 10).join('\n') : stack
}

function formatError(error, constructor, context, keys) {
  const name = error.name != null ? String(error.name) : 'Error'
  let stack
  try {
    stack = typeof error.stack === 'string' && error.stack !== '' ? error.stack : ''
  } catch {
    stack = ''
  }
  const header = Error.prototype.toString.call(error)
  if (!stack) stack = header
  else if (/^\s+at /.test(stack)) stack = `${header}\n${stack}`
  for (const key of ['name', 'message', 'stack']) {
    const at = keys.indexOf(key)
    if (at !== -1 && typeof error[key] === 'string' && stack.includes(error[key])) keys.splice(at, 1)
  }
  if ('cause' in error && Object.hasOwn(error, 'cause') && !keys.includes('cause')) keys.push('cause')
  if (Array.isArray(error.errors) && Object.hasOwn(error, 'errors') && !keys.includes('errors')) keys.push('errors')
  // Show the name of the class if the stack starts with the name of its parent class.
  if (
    constructor !== null &&
    (name.endsWith('Error') || name === constructor) &&
    stack.startsWith(name) &&
    !stack.includes(constructor.length > name.length ? constructor : name === constructor ? name : constructor)
  ) {
    stack = constructor + stack.slice(name.length)
  }
  stack = shortened(stack.trimEnd())
  const at = stack.indexOf('\n    at')
  if (at === -1) stack = `[${stack}]`
  if (context.indentation !== 0) stack = stack.replaceAll('\n', `\n${' '.repeat(context.indentation)}`)
  return stack
}

function formatBuffer(context, value, prefix) {
  const bytes = new Uint8Array(value)
  const shown = bytes.subarray(0, Math.min(Math.max(0, context.maxArrayLength), bytes.length))
  let text = [...shown].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
  const left = bytes.length - shown.length
  if (left > 0) text += ` ... ${left} more byte${left > 1 ? 's' : ''}`
  return joined(context, [`[Uint8Contents]: <${text}>`, `byteLength: ${bytes.length}`], '', [`${prefix}{`, '}'], OBJECT, 0, value)
}

function formatArray(context, value, depth) {
  const output = []
  const length = value.length
  const most = Math.min(Math.max(0, context.maxArrayLength), length)
  let index = 0
  for (; index < length && output.length < most; index++) {
    if (Object.hasOwn(value, index)) output.push(formatProperty(context, value, depth, index, 1))
    else {
      let end = index
      while (end < length && !Object.hasOwn(value, end)) end++
      output.push(`<${end - index} empty item${end - index > 1 ? 's' : ''}>`)
      index = end - 1
    }
  }
  const left = length - index
  if (left > 0) output.push(`... ${left} more item${left > 1 ? 's' : ''}`)
  return output
}

function formatTyped(context, value) {
  const most = Math.min(Math.max(0, context.maxArrayLength), value.length)
  const output = Array.from({ length: most }, (_, index) => formatPrimitive(context, value[index]))
  const left = value.length - most
  if (left > 0) output.push(`... ${left} more item${left > 1 ? 's' : ''}`)
  return output
}

function formatSet(context, value, depth) {
  const output = []
  context.indentation += 2
  const most = Math.min(Math.max(0, context.maxArrayLength), setSize.call(value))
  for (const item of Set.prototype.values.call(value)) {
    if (output.length >= most) break
    output.push(formatValue(context, item, depth))
  }
  const left = setSize.call(value) - most
  if (left > 0) output.push(`... ${left} more item${left > 1 ? 's' : ''}`)
  context.indentation -= 2
  return output
}

function formatMap(context, value, depth) {
  const output = []
  context.indentation += 2
  const most = Math.min(Math.max(0, context.maxArrayLength), mapSize.call(value))
  for (const [key, item] of Map.prototype.entries.call(value)) {
    if (output.length >= most) break
    output.push(`${formatValue(context, key, depth)} => ${formatValue(context, item, depth)}`)
  }
  const left = mapSize.call(value) - most
  if (left > 0) output.push(`... ${left} more item${left > 1 ? 's' : ''}`)
  context.indentation -= 2
  return output
}

function formatPromise(context, value, depth) {
  const [state, result] = engine.promise?.(value) ?? ['pending']
  if (state === 'pending') return ['<pending>']
  context.indentation += 2
  const text = formatValue(context, result, depth)
  context.indentation -= 2
  return [state === 'rejected' ? `<rejected> ${text}` : text]
}

function formatProperty(context, value, depth, key, kind) {
  const descriptor = Object.getOwnPropertyDescriptor(value, key) ?? { value: value[key], configurable: true, enumerable: true }
  let text
  if (descriptor.value !== undefined) {
    context.indentation += 2
    text = formatValue(context, descriptor.value, depth)
    context.indentation -= 2
  } else if (descriptor.get !== undefined) text = `[${descriptor.set === undefined ? 'Getter' : 'Getter/Setter'}]`
  else text = descriptor.set !== undefined ? '[Setter]' : 'undefined'
  if (kind === 1) return text
  let name
  if (typeof key === 'symbol') name = `[${Symbol.prototype.toString.call(key)}]`
  else if (key === '__proto__') name = "['__proto__']"
  else if (descriptor.enumerable === false) name = `[${key}]`
  else name = IDENTIFIER.test(key) ? key : quoted(key)
  return `${name}: ${text}`
}

function joined(context, output, base, braces, kind, depth, value) {
  const before = base ? `${base} ` : ''
  if (context.compact === false || typeof context.compact !== 'number') {
    if (context.compact === true && !output.join().includes('\n')) return `${before}${braces[0]} ${output.join(', ')} ${braces[1]}`
  } else {
    const entries = output.length
    if (kind === LIST && entries > 6) output = grouped(context, output, value)
    if (context.currentDepth - depth < context.compact && entries === output.length) {
      const start = output.length + context.indentation + braces[0].length + base.length + 10
      if (isShort(context, output, start, base)) {
        const line = output.join(', ')
        if (!line.includes('\n')) return `${before}${braces[0]}${line === '' ? '' : ` ${line} `}${braces[1]}`
      }
    }
  }
  const indentation = `\n${' '.repeat(context.indentation)}`
  return `${before}${braces[0]}${indentation}  ${output.join(`,${indentation}  `)}${indentation}${braces[1]}`
}

function isShort(context, output, start, base) {
  let length = output.length + start
  if (length + output.length > context.breakLength) return false
  for (const text of output) length += text.length
  return length <= context.breakLength && (base === '' || !base.includes('\n'))
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u
function widthOf(text) {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text.normalize('NFC')) if (!ZERO.test(character)) width += WIDE.test(character) ? 2 : 1
  return width
}

/** Arranges long lists in columns. */
function grouped(context, output, value) {
  let total = 0
  let longest = 0
  let length = output.length
  if (context.maxArrayLength < output.length) length--
  const widths = []
  for (let index = 0; index < length; index++) {
    const width = widthOf(output[index])
    widths.push(width)
    total += width + 2
    if (longest < width) longest = width
  }
  const most = longest + 2
  if (!(most * 3 + context.indentation < context.breakLength && (total / most > 5 || longest <= 6))) return output
  const bias = Math.sqrt(most - total / output.length)
  const biased = Math.max(most - 3 - bias, 1)
  const columns = Math.min(
    Math.round(Math.sqrt(2.5 * biased * length) / biased),
    Math.floor((context.breakLength - context.indentation) / most),
    context.compact * 4,
    15,
  )
  if (columns <= 1) return output
  const lines = []
  const columnWidths = []
  for (let column = 0; column < columns; column++) {
    let width = 0
    for (let index = column; index < output.length; index += columns) if (widths[index] > width) width = widths[index]
    columnWidths.push(width + 2)
  }
  let pad = 'padStart'
  if (value !== undefined) {
    for (let index = 0; index < output.length; index++) {
      if (typeof value[index] !== 'number' && typeof value[index] !== 'bigint') {
        pad = 'padEnd'
        break
      }
    }
  }
  for (let from = 0; from < length; from += columns) {
    const to = Math.min(from + columns, length)
    let line = ''
    let index = from
    for (; index < to - 1; index++)
      line += `${output[index]}, `[pad](columnWidths[index - from] + output[index].length - widths[index], ' ')
    if (pad === 'padStart') line += output[index].padStart(columnWidths[index - from] + output[index].length - widths[index] - 2, ' ')
    else line += output[index]
    lines.push(line)
  }
  if (context.maxArrayLength < output.length) lines.push(output[length])
  return lines
}

function formatWithOptions(options, ...values) {
  const [first] = values
  let text = ''
  let next = 0
  if (typeof first === 'string') {
    if (values.length === 1) return first
    next = 1
    text = first.replace(/%[sdifjoOc%]/g, (found) => {
      if (found === '%%') return '%'
      if (next >= values.length) return found
      const value = values[next++]
      switch (found[1]) {
        case 's':
          return stringOf(value, options)
        case 'd':
          return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : formatNumber(Number(value))
        case 'i':
          return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : formatNumber(Number.parseInt(value, 10))
        case 'f':
          return typeof value === 'symbol' ? 'NaN' : formatNumber(Number.parseFloat(value))
        case 'j':
          try {
            return JSON.stringify(value)
          } catch (error) {
            if (/circular/i.test(error.message)) return '[Circular]'
            throw error
          }
        case 'o':
          return inspect(value, { ...options, showHidden: true, depth: 4 })
        case 'O':
          return inspect(value, options)
        default:
          return ''
      }
    })
    if (next < values.length) text += ' '
  }
  return (
    text +
    values
      .slice(next)
      .map((value) => (typeof value === 'string' ? value : inspect(value, options)))
      .join(' ')
  )
}

function stringOf(value, options) {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return formatNumber(value)
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value)
  if (typeof value === 'object' && hasOwnToString(value)) return String(value)
  return typeof value === 'function' && !Object.hasOwn(value, 'toString') ? String(value) : inspect(value, { ...options, depth: 0 })
}

function hasOwnToString(value) {
  if (value instanceof Error || value instanceof Date) return !(value instanceof Date)
  if (Object.hasOwn(value, 'toString')) return typeof value.toString === 'function'
  for (let object = Object.getPrototypeOf(value); object && object !== Object.prototype; object = Object.getPrototypeOf(object)) {
    if (Object.hasOwn(object, 'toString')) return !/\[native code\]/.test(Function.prototype.toString.call(object.toString))
  }
  return false
}

module.exports = {
  inspect,
  formatWithOptions,
  format: (...values) => formatWithOptions(undefined, ...values),
  types,
  engine,
  widthOf,
  quoted,
}
