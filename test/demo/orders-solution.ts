/** A solution of the sample "orders": its `clean.js`. */
export const ORDERS_SOLUTION = `import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { readCsv } from './lib/csv.js'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const SIGNS = { '€': 'EUR', '£': 'GBP', $: 'USD' }
const rows = readCsv(await readFile('data/orders.csv', 'utf8'))
const codes = new Map()
for (const [code, names] of Object.entries(JSON.parse(await readFile('data/countries.json', 'utf8')))) {
  for (const name of [code, ...names]) codes.set(name.toLowerCase(), code)
}

function idOf(text) {
  const [, letter, digits] = /^([A-Z])-?(\\d{4})$/.exec(text.trim().toUpperCase()) ?? []
  return letter && letter + '-' + digits
}

function dateOf(text) {
  const iso = /^(\\d{4})-(\\d\\d)-(\\d\\d)$/.exec(text.trim())
  const dotted = /^(\\d{1,2})[./](\\d{1,2})[./](\\d{4})$/.exec(text.trim())
  const words = /^(\\d{1,2}) (\\w{3}) (\\d{4})$/.exec(text.trim())
  const [year, month, day] = iso ? iso.slice(1) : dotted ? dotted.slice(1).reverse() : words ? [words[3], MONTHS.indexOf(words[2]) + 1, words[1]] : []
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCDate() === Number(day) && date.getUTCMonth() === month - 1 ? date.toISOString().slice(0, 10) : undefined
}

function centsOf(text) {
  const digits = text.replaceAll(/[^\\d.,]/g, '')
  if (!/\\d/.test(digits)) return undefined
  const [, whole = digits, part = ''] = /^(.*)[.,](\\d{1,2})$/.exec(digits) ?? []
  return Number(whole.replaceAll(/[.,]/g, '')) * 100 + Number(part.padEnd(2, '0'))
}

function nameOf(text) {
  const [last, first] = text.replaceAll(/\\s+/g, ' ').split(',').map((part) => part.trim())
  return first === undefined ? last : first + ' ' + last
}

const orders = new Map()
const rejected = []
for (const { line, values } of rows) {
  const [id, date, cents] = [idOf(values.Order), dateOf(values.Date), centsOf(values.Amount)]
  const reason = id === undefined ? 'id' : date === undefined ? 'date' : cents === undefined ? 'amount' : undefined
  if (reason) {
    rejected.push({ line, reason })
    continue
  }
  const email = values['E-mail'].trim().toLowerCase()
  const sign = Object.keys(SIGNS).find((one) => values.Amount.includes(one))
  orders.set(id, {
    id,
    date,
    customer: nameOf(values.Customer),
    email: email.includes('@') ? email : null,
    country: codes.get(values.Country.trim().toLowerCase()),
    cents,
    currency: SIGNS[sign] ?? /EUR|GBP|USD/.exec(values.Amount)?.[0] ?? values.Currency.trim().toUpperCase(),
  })
}
const sorted = [...orders.values()].sort((a, b) => (a.date + a.id < b.date + b.id ? -1 : 1))

await mkdir('out', { recursive: true })
await writeFile('out/orders.json', JSON.stringify(sorted, null, 2))
await writeFile('out/rejected.json', JSON.stringify(rejected, null, 2))
console.log(rows.length + ' rows: ' + sorted.length + ' orders, ' + rejected.length + ' rejected')
`
