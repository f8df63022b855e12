// Reads data/orders.csv, and writes out/orders.json and out/rejected.json. README.md says what has to be in them.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { readCsv } from './lib/csv.js'

const rows = readCsv(await readFile('data/orders.csv', 'utf8'))
const orders = []
const rejected = []

for (const { values } of rows) {
  // To do: the rules of README.md. So far everything is taken as it is.
  orders.push({
    id: values.Order,
    date: values.Date,
    customer: values.Customer,
    email: values['E-mail'],
    country: values.Country,
    cents: values.Amount,
    currency: values.Currency,
  })
}

await mkdir('out', { recursive: true })
await writeFile('out/orders.json', `${JSON.stringify(orders, null, 2)}\n`)
await writeFile('out/rejected.json', `${JSON.stringify(rejected, null, 2)}\n`)
console.log(`${rows.length} rows: ${orders.length} orders, ${rejected.length} rejected`)
