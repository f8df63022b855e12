function createConsole({ host, inspection }) {
  const inspect = (value, options) => inspection().inspect(value, options)
  const formatWithOptions = (options, ...values) =>
    values.length === 1 && typeof values[0] === 'string' ? values[0] : inspection().formatWithOptions(options, ...values)
  const counts = new Map()
  const times = new Map()
  let indent = ''
  const print = (stream, text) => {
    if (indent !== '') text = indent + (text.includes('\n') ? text.replaceAll('\n', `\n${indent}`) : text)
    host.write(stream, `${text}\n`)
  }
  const line =
    (stream) =>
    (...values) =>
      print(stream, formatWithOptions(undefined, ...values))
  const log = line('stdout')
  const warn = line('stderr')
  const elapsed = (label) => {
    const ms = Number(host.raw('clock')) - times.get(label)
    if (ms >= 1000) return `${(ms / 1000).toFixed(3)}s`
    return `${ms
      .toFixed(ms >= 1 ? 2 : 3)
      .replace(/0+$/, '')
      .replace(/\.$/, '')}ms`
  }
  const group = (...values) => {
    if (values.length > 0) log(...values)
    indent += '  '
  }
  return {
    log,
    info: log,
    debug: log,
    warn,
    error: warn,
    dir: (value, options) => print('stdout', inspect(value, { ...options })),
    dirxml: log,
    assert(condition, ...values) {
      if (condition) return
      if (typeof values[0] === 'string') values[0] = `Assertion failed: ${values[0]}`
      else values.unshift('Assertion failed')
      warn(...values)
    },
    count(label = 'default') {
      label = `${label}`
      counts.set(label, (counts.get(label) ?? 0) + 1)
      log(`${label}: ${counts.get(label)}`)
    },
    countReset(label = 'default') {
      counts.delete(`${label}`)
    },
    time(label = 'default') {
      times.set(`${label}`, Number(host.raw('clock')))
    },
    timeLog(label = 'default', ...values) {
      if (times.has(`${label}`)) log(`${label}: ${elapsed(`${label}`)}`, ...values)
    },
    timeEnd(label = 'default') {
      if (times.has(`${label}`)) log(`${label}: ${elapsed(`${label}`)}`)
      times.delete(`${label}`)
    },
    trace(...values) {
      const stack = new Error().stack.split('\n').slice(2).join('\n')
      const text = formatWithOptions(undefined, ...values)
      warn(`Trace${text ? `: ${text}` : ''}\n${stack}`)
    },
    group,
    groupCollapsed: group,
    groupEnd() {
      indent = indent.slice(0, -2)
    },
    table: (data, columns) => print('stdout', table(data, columns, inspection) ?? formatWithOptions(undefined, data)),
    Console: undefined,
  }
}

/** Formats data as a table. Returns undefined for data that cannot be shown as a table. */
function table(data, only, inspection) {
  if (data === null || typeof data !== 'object') return undefined
  const { inspect, widthOf } = inspection()
  const cell = (value) =>
    inspect(value, {
      depth: value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 2 ? -1 : 0,
      maxArrayLength: 3,
      breakLength: Infinity,
    })
  const isMap = data instanceof Map
  const index = data instanceof Set || isMap ? '(iteration index)' : '(index)'
  const rows = isMap ? [...data.entries()] : data instanceof Set ? [...data] : data
  const columns = new Map()
  const values = []
  let hasValues = false
  const names = []
  const keys = Array.isArray(rows) ? rows.map((_, at) => String(at)) : Object.keys(rows)
  keys.forEach((key, at) => {
    const row = rows[key]
    names.push(key)
    if (isMap) {
      for (const [name, value] of [
        ['Key', row[0]],
        ['Values', row[1]],
      ]) {
        if (!columns.has(name)) columns.set(name, [])
        columns.get(name)[at] = cell(value)
      }
    } else if (row === null || (typeof row !== 'object' && typeof row !== 'function')) {
      hasValues = true
      values[at] = cell(row)
    } else {
      for (const name of only ?? Object.keys(row)) {
        if (!columns.has(name)) columns.set(name, [])
        if (Object.hasOwn(row, name)) columns.get(name)[at] = cell(row[name])
      }
    }
  })
  const head = [index, ...columns.keys(), ...(hasValues ? ['Values'] : [])]
  const body = [names, ...columns.values(), ...(hasValues ? [values] : [])]
  const widths = head.map((name, column) => Math.max(widthOf(name), ...names.map((_, at) => widthOf(body[column][at] ?? ''))) + 2)
  const padded = (text, width) => ` ${text}${' '.repeat(width - widthOf(text) - 1)}`
  const rule = (left, middle, right) => left + widths.map((width) => '─'.repeat(width)).join(middle) + right
  const line = (cells) => `│${cells.map((text, column) => padded(text ?? '', widths[column])).join('│')}│`
  return [
    rule('┌', '┬', '┐'),
    line(head),
    rule('├', '┼', '┤'),
    ...names.map((_, at) => line(body.map((cells) => cells[at]))),
    rule('└', '┴', '┘'),
  ].join('\n')
}

module.exports = { createConsole }
