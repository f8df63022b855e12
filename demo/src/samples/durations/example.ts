// Adds up the durations that it is given: node example.ts 1h30m 45min
import { formatDuration, parseDuration } from './src/index.ts'

const total = process.argv.slice(2).reduce((sum, text) => sum + parseDuration(text), 0)
console.log(formatDuration(total, { style: 'long' }), 'or', formatDuration(total, { style: 'iso' }))
