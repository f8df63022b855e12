class StringDecoder {
  constructor(encoding = 'utf8') {
    this.encoding = encoding
    Object.defineProperty(this, '_decoder', { value: /^utf-?8$/i.test(encoding) ? new TextDecoder('utf-8') : undefined, enumerable: false })
  }
  write(bytes) {
    return this._decoder ? this._decoder.decode(bytes, { stream: true }) : Buffer.from(bytes).toString(this.encoding)
  }
  end(bytes) {
    return (bytes ? this.write(bytes) : '') + (this._decoder ? this._decoder.decode() : '')
  }
}
module.exports = { StringDecoder }
