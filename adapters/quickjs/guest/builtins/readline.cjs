const { EventEmitter } = require('events')

class Interface extends EventEmitter {
  constructor({ input, output, prompt = '> ' } = {}) {
    super()
    Object.assign(this, { input, output, closed: false, line: '', terminal: false })
    this._state = { rest: '', prompt, questions: [], queue: [], readers: [] }
    Object.defineProperty(this, '_state', { enumerable: false })
    input.setEncoding?.('utf8')
    input.on('data', (chunk) => this._heard(`${chunk}`))
    input.on('end', () => {
      if (this._state.rest !== '') this._line(this._state.rest)
      this._state.rest = ''
      this.close()
    })
  }
  _heard(text) {
    const lines = (this._state.rest + text).split(/\r\n|\n|\r(?!$)/)
    this._state.rest = lines.pop()
    for (const line of lines) this._line(line)
  }
  _line(line) {
    if (this.closed) return
    const question = this._state.questions.shift()
    if (question) question(line)
    else {
      this.emit('line', line)
      const reader = this._state.readers.shift()
      if (reader) reader({ value: line, done: false })
      else if (this._state.iterating) this._state.queue.push(line)
    }
  }
  setPrompt(prompt) {
    this._state.prompt = prompt
  }
  getPrompt() {
    return this._state.prompt
  }
  prompt() {
    this.output?.write(this._state.prompt)
  }
  question(query, options, callback) {
    this.output?.write(query)
    this._state.questions.push(callback ?? options)
    this.input.resume()
  }
  write() {}
  pause() {
    this.input.pause()
    this.emit('pause')
    return this
  }
  resume() {
    this.input.resume()
    this.emit('resume')
    return this
  }
  close() {
    if (this.closed) return
    this.closed = true
    this.input.pause()
    this.emit('close')
    for (const reader of this._state.readers.splice(0)) reader({ value: undefined, done: true })
  }
  [Symbol.asyncIterator]() {
    this._state.iterating = true
    return {
      next: () =>
        new Promise((resolve) => {
          if (this._state.queue.length > 0) resolve({ value: this._state.queue.shift(), done: false })
          else if (this.closed) resolve({ value: undefined, done: true })
          else this._state.readers.push(resolve)
        }),
      return: async () => {
        this.close()
        return { value: undefined, done: true }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
}

const createInterface = (input, output) => new Interface(input?.input ? input : { input, output })

module.exports = {
  Interface,
  createInterface,
  clearLine: () => true,
  clearScreenDown: () => true,
  cursorTo: () => true,
  moveCursor: () => true,
  get promises() {
    return require('readline/promises')
  },
}
