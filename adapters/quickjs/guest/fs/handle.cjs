const { EventEmitter } = require('events')
const files = require('./descriptors.cjs')
const transfer = require('./transfer.cjs')
const input = require('./given.cjs')
const { coded } = require('./errors.cjs')

const read = files.later(transfer.describeRead)
const write = files.later(transfer.describeWrite)
const readv = files.later(transfer.describeReadv)
const writev = files.later(transfer.describeWritev)
const readAll = files.later(files.readingAll)
const writeAll = files.later(files.writingAll)
const stat = files.later(files.statting)
const truncate = files.later(files.truncating)
const chmod = files.later(files.chmodding)
const utimes = files.later(files.timing)

async function joined(data, encoding) {
  if (typeof data === 'string' || ArrayBuffer.isView(data) || !(data?.[Symbol.asyncIterator] || data?.[Symbol.iterator])) return data
  const chunks = []
  for await (const chunk of data) chunks.push(Buffer.from(input.bytesOf(chunk, encoding)))
  return Buffer.concat(chunks)
}

class FileHandle extends EventEmitter {
  #descriptor
  constructor(descriptor) {
    super()
    this.#descriptor = descriptor
  }
  get fd() {
    return this.#descriptor
  }
  #open(syscall) {
    if (this.#descriptor !== -1) return this.#descriptor
    throw Object.assign(coded(new Error('file closed'), 'EBADF'), { syscall })
  }
  async read(...given) {
    const descriptor = this.#open('read')
    const what = transfer.target(given)
    return { __proto__: null, bytesRead: await read(descriptor, what), buffer: what.buffer }
  }
  async write(...given) {
    const descriptor = this.#open('write')
    const what = transfer.source(given)
    return { __proto__: null, bytesWritten: await write(descriptor, what), buffer: what.data }
  }
  async readv(buffers, position) {
    return { __proto__: null, bytesRead: await readv(this.#open('readv'), buffers, position), buffers }
  }
  async writev(buffers, position) {
    return { __proto__: null, bytesWritten: await writev(this.#open('writev'), buffers, position), buffers }
  }
  async readFile(options) {
    input.checkSignal(input.signalOf(options))
    return readAll(this.#open('readFile'), options)
  }
  async writeFile(data, options) {
    input.checkSignal(input.signalOf(options))
    await writeAll(this.#open('writeFile'), await joined(data, input.encodingOf(options)), options)
  }
  appendFile(data, options) {
    return this.writeFile(data, options)
  }
  async stat() {
    return stat(this.#open('fstat'))
  }
  async truncate(length) {
    return truncate(this.#open('ftruncate'), length)
  }
  async chmod(mode) {
    return chmod(this.#open('fchmod'), mode)
  }
  async utimes(atime, mtime) {
    return utimes(this.#open('futimes'), atime, mtime)
  }
  async sync() {
    this.#open('fsync')
  }
  async datasync() {
    this.#open('fdatasync')
  }
  async close() {
    if (this.#descriptor === -1) return
    const descriptor = this.#descriptor
    this.#descriptor = -1
    await files.fileOf(descriptor, 'close').last
    files.closing(descriptor)
    this.emit('close')
  }
  createReadStream(options) {
    const { ReadStream } = require('./streams.cjs')
    return new ReadStream(undefined, { ...options, fd: this })
  }
  createWriteStream(options) {
    const { WriteStream } = require('./streams.cjs')
    return new WriteStream(undefined, { ...options, fd: this })
  }
  readLines(options) {
    return require('readline').createInterface({ input: this.createReadStream(options), crlfDelay: Infinity })
  }
  [Symbol.asyncDispose]() {
    return this.close()
  }
}
module.exports = { FileHandle, joined }
