import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { addNote, listNotes, removeNote } from './notes.js'

const PORT = 3000

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost')
  const { method } = request
  if (method === 'GET' && pathname === '/') return sendPage(response)
  if (method === 'GET' && pathname === '/api/notes') return sendJson(response, 200, listNotes())
  if (method === 'POST' && pathname === '/api/notes') return create(request, response)
  const id = /^\/api\/notes\/(\d+)$/.exec(pathname)?.[1]
  if (method === 'DELETE' && id) {
    return removeNote(Number(id)) ? sendJson(response, 200, listNotes()) : sendJson(response, 404, { error: `No note has the id ${id}` })
  }
  sendJson(response, 404, { error: `Nothing is at ${method} ${pathname}` })
}

async function create(request, response) {
  let body = ''
  for await (const chunk of request) body += chunk
  const { text } = JSON.parse(body)
  if (typeof text !== 'string' || text.trim() === '') return sendJson(response, 400, { error: 'The field "text" is missing' })
  sendJson(response, 201, addNote(text.trim()))
}

async function sendPage(response) {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(await readFile('page.html', 'utf8'))
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(`${JSON.stringify(value, null, 2)}\n`)
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error)
    sendJson(response, 500, { error: error.message })
  })
})
server.listen(PORT, () => console.log(`Listening on http://localhost:${PORT}`))
