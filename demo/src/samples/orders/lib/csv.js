/**
 * Reads a table of values between commas, as RFC 4180 has it: values in quotes may hold commas, line breaks and doubled quotes.
 *
 * @param {string} text its first line names the columns
 * @returns {{ line: number, values: Record<string, string> }[]} `line`: where the row begins in the file, from 1
 */
export function readCsv(text) {
  const [header = { fields: [] }, ...rows] = readRows(text)
  return rows.map(({ line, fields }) => ({
    line,
    values: Object.fromEntries(header.fields.map((name, index) => [name, fields[index] ?? ''])),
  }))
}

/** @param {string} text */
function readRows(text) {
  const rows = []
  let fields = []
  let field = ''
  let quoted = false
  let line = 1
  let begin = 1
  const endRow = () => {
    rows.push({ line: begin, fields: [...fields, field] })
    fields = []
    field = ''
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\n') line += 1
    if (quoted) {
      if (character !== '"') field += character
      else if (text[at + 1] === '"') {
        field += '"'
        at += 1
      } else quoted = false
    } else if (character === '"') quoted = true
    else if (character === ',') {
      fields.push(field)
      field = ''
    } else if (character === '\n') {
      endRow()
      begin = line
    } else if (character !== '\r') field += character
  }
  if (field !== '' || fields.length > 0) endRow()
  return rows
}
