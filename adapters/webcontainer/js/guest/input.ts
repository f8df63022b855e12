/** Needs `task`, `inbox`, `send`. Defines `hearInput`. Replaces descriptor 0, which is a terminal without input. */
export const INPUT: string = `
const chunks = task.stdin === '' ? [] : [Buffer.from(task.stdin)]
const ownInput = { readSync: fs.readSync, read: fs.read, readFileSync: fs.readFileSync, readFile: fs.readFile }
let closed = task.closed
let wanted = false
let untold = 0
let paused = false
let input

function hearInput(post) {
  if (post.closed) closed = true
  else {
    chunks.push(Buffer.from(post.stdin))
    untold++
  }
  if (wanted) feed()
}

// Taken: room for more of it.
function taken() {
  if (untold === 0) return
  send({ taken: untold })
  untold = 0
}

function feed() {
  if (chunks.length === 0 && !closed) return paused || inbox.need('input')
  wanted = false
  inbox.free('input')
  const chunk = chunks.shift() ?? null
  if (chunks.length === 0) taken()
  input.push(chunk)
}

function createInput() {
  const stream = new Readable({
    highWaterMark: 65536,
    read() {
      wanted = true
      feed()
    },
    destroy(error, done) {
      wanted = false
      inbox.free('input')
      done(error)
    },
  })
  // A program that does not listen any more may end.
  stream.on('pause', () => {
    paused = true
    inbox.free('input')
  })
  stream.on('resume', () => {
    paused = false
    if (wanted) feed()
  })
  const ref = () => (wanted && inbox.need('input'), stream)
  const unref = () => (inbox.free('input'), stream)
  return Object.assign(stream, { fd: 0, _type: 'pipe', ref, unref })
}

function readNow(bytes) {
  while (chunks.length === 0 && !closed) inbox.wait()
  const [chunk] = chunks
  if (!chunk) return 0
  const size = chunk.copy(bytes)
  if (size === chunk.length) chunks.shift()
  else chunks[0] = chunk.subarray(size)
  if (chunks.length === 0) taken()
  return size
}

function readAllNow() {
  while (!closed) inbox.wait()
  taken()
  return Buffer.concat(chunks.splice(0))
}

function target(buffer, args) {
  const { offset = 0, length } = typeof args[0] === 'object' && args[0] !== null ? args[0] : { offset: args[0] ?? 0, length: args[1] ?? undefined }
  return Buffer.from(buffer.buffer, buffer.byteOffset + offset, length ?? buffer.byteLength - offset)
}

const isInput = (file) => file === 0 || file === '/dev/stdin'
const encodingOf = (options) => (typeof options === 'string' ? options : options?.encoding)

function serveInput() {
  Object.defineProperty(process, 'stdin', { configurable: true, enumerable: true, get: () => (input ??= createInput()) })
  fs.readSync = function readSync(fd, buffer, ...args) {
    return fd === 0 ? readNow(target(buffer, args)) : ownInput.readSync.call(this, fd, buffer, ...args)
  }
  fs.read = function read(fd, ...args) {
    if (fd !== 0) return ownInput.read.call(this, fd, ...args)
    const done = args.pop()
    const buffer = ArrayBuffer.isView(args[0]) ? args.shift() : (args[0]?.buffer ?? Buffer.alloc(16384))
    process.nextTick(() => done(null, readNow(target(buffer, args)), buffer))
  }
  fs.readFileSync = function readFileSync(file, options) {
    if (!isInput(file)) return ownInput.readFileSync.call(this, file, options)
    const encoding = encodingOf(options)
    return encoding ? readAllNow().toString(encoding) : readAllNow()
  }
  fs.readFile = function readFile(file, ...args) {
    if (!isInput(file)) return ownInput.readFile.call(this, file, ...args)
    const done = args.pop()
    process.nextTick(() => done(null, fs.readFileSync(0, args[0])))
  }
}
`
