const { coded } = require('./errors.cjs')

class Dir {
  #entries
  #path
  #closed = false
  constructor(path, entries) {
    this.#path = path
    this.#entries = entries
  }
  get path() {
    return this.#path
  }
  #check() {
    if (this.#closed) throw coded(new Error('Directory handle was closed'), 'ERR_DIR_CLOSED')
  }
  readSync() {
    this.#check()
    return this.#entries.shift() ?? null
  }
  closeSync() {
    this.#check()
    this.#closed = true
  }
  read(callback) {
    return settled(() => this.readSync(), callback)
  }
  close(callback) {
    return settled(() => this.closeSync(), callback)
  }
  async *entries() {
    try {
      for (let entry = this.readSync(); entry; entry = this.readSync()) yield entry
    } finally {
      if (!this.#closed) this.closeSync()
    }
  }
  [Symbol.asyncIterator]() {
    return this.entries()
  }
}
function settled(body, callback) {
  const promise = (async () => body())()
  if (typeof callback !== 'function') return promise
  promise.then(
    (value) => process.nextTick(callback, null, value),
    (error) => process.nextTick(callback, error),
  )
}
module.exports = { Dir }
