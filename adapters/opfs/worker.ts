import { serveOpfs } from './serve.js'

serveOpfs()
